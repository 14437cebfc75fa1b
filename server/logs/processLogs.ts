import { constants, type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessLog } from '#contract/logFiles.ts'
import { logFileName, logFolder, readLogFileName, readLogName } from '#server/foundation/logFile.ts'
import type { LogPart } from './logTail.ts'

/** Processes that are listed at most. */
const MAX_LISTED = 100
/** For how long, and for how many processes, the logs of ended processes are kept. */
const RETENTION = { ms: 30 * 86_400_000, processes: 30 }

type ProcessLogPart = { part: number; bytes: number; update_time: number }
/** The files of one process, the oldest first. */
type ProcessLogFiles = { name: string; files: ProcessLogPart[]; update_time: number }

/**
 * The log files in the data folder: of the process that runs here, of those before it, and of others that share the
 * folder.
 */
export function openProcessLogs(data_dir: string, own: string | null) {
  const folder = logFolder(data_dir)
  const pathOf = (name: string, part: number): string => join(folder, logFileName(name, part))

  /** The one that was written last comes first. */
  async function findAll(): Promise<ProcessLogFiles[]> {
    const byName = new Map<string, ProcessLogPart[]>()
    for (const file of await namesIn(folder)) {
      const named = readLogFileName(file)
      const stats = named === null ? null : await stat(join(folder, file)).catch(() => null)
      if (named === null || !stats?.isFile()) continue
      const found = { part: named.part, bytes: stats.size, update_time: stats.mtimeMs }
      byName.set(named.name, [...(byName.get(named.name) ?? []), found])
    }
    return [...byName]
      .map(([name, files]) => ({
        name,
        files: files.toSorted((one, other) => one.part - other.part),
        update_time: Math.max(...files.map(({ update_time }) => update_time)),
      }))
      .toSorted((one, other) => other.update_time - one.update_time)
  }

  const find = async (name: string): Promise<ProcessLogFiles | null> =>
    (await findAll()).find(found => found.name === name) ?? null

  return {
    own,

    /** This process first, then the one that was written last. */
    async list(): Promise<ProcessLog[]> {
      const all = (await findAll()).slice(0, MAX_LISTED).flatMap(found => describe(found, own))
      return all.toSorted((one, other) => Number(other.is_own) - Number(one.is_own))
    },

    /** Null where there is none of that name. */
    async parts(name: string): Promise<{ process: ProcessLog; parts: LogPart[] } | null> {
      const found = await find(name)
      const [process] = found === null ? [] : describe(found, own)
      if (found === null || process === undefined) return null
      return {
        process,
        parts: found.files.map(({ part }) => ({ part, open: () => openForReading(pathOf(name, part)) })),
      }
    },

    /** Opens the latest file; null when there is none. The caller closes it. */
    async openNewest(name: string): Promise<FileHandle | null> {
      const newest = (await find(name))?.files.at(-1)
      return newest === undefined ? null : openForReading(pathOf(name, newest.part))
    },

    /** Removes logs of ended processes that are beyond `RETENTION`. Returns the number of files. */
    async removeOld(now: number): Promise<number> {
      const others = (await findAll()).filter(({ name }) => name !== own)
      const old = others.filter(({ update_time }, at) => at >= RETENTION.processes || now - update_time > RETENTION.ms)
      for (const { name, files } of old) for (const { part } of files) await rm(pathOf(name, part), { force: true })
      return old.reduce((count, { files }) => count + files.length, 0)
    },
  }
}

function describe({ name, files, update_time }: ProcessLogFiles, own: string | null): ProcessLog[] {
  const named = readLogName(name)
  if (named === null) return []
  return [
    {
      name,
      start_time: named.start.toISOString(),
      process_id: named.process_id,
      machine: named.machine,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      update_time: new Date(update_time).toISOString(),
      is_own: name === own,
    },
  ]
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Null when the file has been removed meanwhile, by rotation or by hand. */
async function openForReading(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Includes the case of a file in place of the folder, which the log reports when it cannot be written. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
