import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { link, lstat, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { newId } from './ids.ts'

/**
 * Writes a new file, private to its owner, atomically: under a temporary name, synced, then renamed. Whenever the
 * process is killed, no incomplete file has the final name. Temporary files that killed processes left are removed
 * first.
 */
export async function writeAtomically(to: string, write: (temporary: string) => Promise<void>): Promise<void> {
  await removeLeftovers(to)
  const temporary = temporaryPath(to)
  await (await open(temporary, 'wx', 0o600)).close()
  try {
    await write(temporary)
    await sync(temporary)
    await moveTo(temporary, to)
    await syncFolder(dirname(to))
  } finally {
    await rm(temporary, { force: true })
  }
}

const MARK = 'unfinished'

/** A new temporary path. The process id in it says later whether its writer still runs. */
export const temporaryPath = (to: string): string => `${to}.${process.pid}-${newId()}.${MARK}`

/** Removes temporary files whose writers have ended, and what SQLite keeps beside them. */
export async function removeLeftovers(to: string): Promise<void> {
  const [folder, name] = [dirname(to), basename(to)]
  for (const each of await readdir(folder)) {
    const [, pid] = each.startsWith(`${name}.`)
      ? (new RegExp(`^\\.(\\d{1,10})-[\\da-f-]{36}\\.${MARK}(?:-\\w+)?$`).exec(each.slice(name.length)) ?? [])
      : []
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, each), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !hasEnded(pid)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // another user's
  }
}

/** A zombie keeps its id until its parent waits for it, which in a container may be never. */
function hasEnded(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // not Linux
  }
}

/**
 * Never overwrites: unlike a rename, a link fails when there is a file by that name. A file system without links leaves
 * a small race.
 */
async function moveTo(temporary: string, to: string): Promise<void> {
  try {
    await link(temporary, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || error.code === 'EEXIST') throw error
    const there = await lstat(to).catch(() => null)
    if (there !== null) throw Object.assign(new Error(`EEXIST: ${to} is there already`), { code: 'EEXIST' })
    await rename(temporary, to)
  }
}

async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}

/** Makes a new name in a folder durable. Windows has no such call. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await sync(path)
}

/**
 * Makes a folder, and those above it, for nobody else on the machine to read; false when it was there.
 * Node’s own way never ends where there is no such folder although the one above it is there, as the kernel says in
 * /proc.
 */
export function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    const above = dirname(path)
    if (isMissing(error) && !existsSync(above)) {
      makeFolder(above)
      return makeFolder(path)
    }
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false
    throw error
  }
}

/** Whether the error says that there is no such file or folder. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Whether a path is the folder or lies in it, wherever links lead to. Neither has to exist. */
export function liesIn(path: string, folder: string): boolean {
  const [inner, outer] = [withoutLinks(path), withoutLinks(folder)]
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}

function withoutLinks(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const above = dirname(whole)
    return above === whole ? whole : join(withoutLinks(above), basename(whole))
  }
}
