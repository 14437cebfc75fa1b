import { readFileSync } from 'node:fs'
import { link, lstat, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { newId } from './ids.ts'

/**
 * Writes a new file, private to its owner, under another name and gives it its own when it is whole and on the disk: whenever the process is
 * killed, nothing incomplete has that name. What killed processes left of the same file is removed first.
 */
export async function writeBeside(to: string, write: (beside: string) => Promise<void>): Promise<void> {
  await removeUnfinished(to)
  const beside = unfinishedOf(to)
  await (await open(beside, 'wx', 0o600)).close()
  try {
    await write(beside)
    await flush(beside)
    await giveName(beside, to)
    await flushFolder(dirname(to))
  } finally {
    await rm(beside, { force: true })
  }
}

const MARK = 'unfinished'

/** The number of its process tells later whether anybody is still at it. */
export const unfinishedOf = (to: string): string => `${to}.${process.pid}-${newId()}.${MARK}`

/** Removes what nobody is writing any more, with what the writer had beside it. */
export async function removeUnfinished(to: string): Promise<void> {
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
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // somebody else's
  }
}

/** One that was killed keeps its number until its parent asks after it, which in a container may be never. */
function hasEnded(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // not Linux
  }
}

/** Never in the place of something: unlike a renamed file, a link fails there. Where the disk has no links, who comes between loses. */
async function giveName(beside: string, to: string): Promise<void> {
  try {
    await link(beside, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || error.code === 'EEXIST') throw error
    const there = await lstat(to).catch(() => null)
    if (there !== null) throw Object.assign(new Error(`EEXIST: ${to} is there already`), { code: 'EEXIST' })
    await rename(beside, to)
  }
}

async function flush(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}

/** So that a name lasts as its file does. Windows has no such thing. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await flush(path)
}
