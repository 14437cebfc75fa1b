import { existsSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isUnreadable, openSqliteFile } from '#server/foundation/database/sqlite/connection.ts'
import { claimDataFolder } from '#server/foundation/database/sqlite/database.ts'
import { reasonOf } from '#server/foundation/database/unusable.ts'
import { CommandFailure } from './command.ts'

/** The database, and what a portal that was killed leaves beside it: SQLite would take that for part of whatever stands there next. */
const PARTS = ['', '-wal', '-shm', '-journal']

const partsOf = (file: string): string[] => PARTS.filter(part => existsSync(file + part))

/** Moves what stands in the place of a database aside, all of it; null when there is nothing. A portal that runs is in the way. */
export async function moveAside(file: string): Promise<string | null> {
  if (partsOf(file).length === 0) return null
  requireStopped(file)
  const aside = `${file}.before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  for (const part of partsOf(file)) await rename(file + part, aside + part)
  await syncFolder(dirname(file))
  return aside
}

/** Leaving the write-ahead log needs the file alone: a portal that runs, on this machine or another, is in the way. */
export function requireStopped(file: string): void {
  if (existsSync(file) && leavesLog(file)) return
  // Nothing can be read of it, so there is no lock of its own to ask for.
  claimDataFolder(dirname(file))()
}

/** False when it is damaged beyond being opened. Else what is in the log is brought into the file, which then is all there is to move. */
function leavesLog(file: string): boolean {
  try {
    const connection = openSqliteFile(file)
    try {
      connection.execute('pragma busy_timeout = 0')
      connection.execute('pragma journal_mode = delete')
    } finally {
      connection.close()
    }
    return true
  } catch (cause) {
    if (isUnreadable(cause)) return false
    throw new CommandFailure(
      `The portal seems to be running: its database is in use (${reasonOf(cause)}). Stop it first.`,
    )
  }
}

export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}
