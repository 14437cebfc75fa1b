import { existsSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isUnreadable, openSqliteFile } from '#server/foundation/database/sqlite/connection.ts'
import { claimDataFolder } from '#server/foundation/database/sqlite/database.ts'
import { reasonOf } from '#server/foundation/database/unusable.ts'
import { CommandFailure } from './command.ts'

/**
 * Suffixes of the database and of the files that a killed portal leaves beside it, which SQLite would otherwise apply to the next database
 * there.
 */
const PARTS = ['', '-wal', '-shm', '-journal']

const partsOf = (file: string): string[] => PARTS.filter(part => existsSync(file + part))

/** Moves the files of a database aside; null when there are none. Refuses while a portal is running. */
export async function moveAside(file: string): Promise<string | null> {
  if (partsOf(file).length === 0) return null
  requireStopped(file)
  const aside = `${file}.before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  for (const part of partsOf(file)) await rename(file + part, aside + part)
  await syncFolder(dirname(file))
  return aside
}

/** Refuses while a portal is running, on this machine or another: leaving the write-ahead log needs exclusive access to the file. */
export function requireStopped(file: string): void {
  if (existsSync(file) && leavesLog(file)) return
  // The database is unreadable and cannot be locked; the lock of the data folder is used instead.
  claimDataFolder(dirname(file))()
}

/** Copies the write-ahead log into the file, which is then complete. false when the file is too damaged to be opened. */
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
