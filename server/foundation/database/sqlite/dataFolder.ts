import { chmodSync, closeSync, existsSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../fileSystem.ts'
import { DatabaseUnusable, reasonOf } from '../../databaseErrors.ts'
import { holdFile } from './connection.ts'

export const DATABASE_FILE = 'commons.sqlite'

/**
 * SQLite gives its -wal and -shm files the rights of the database, so that the file has to be private from the
 * beginning.
 */
export function privateFile(data_dir: string, name = DATABASE_FILE): string {
  const path = join(data_dir, name)
  const made = makeFolder(data_dir)
  // A folder that holds other things may be someone else's, /tmp for one: its rights are not ours to change.
  if (!made && (existsSync(path) || readdirSync(data_dir).length === 0)) chmodSync(data_dir, 0o700)
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  return path
}

const LOCK_FILE = 'server.lock'

/**
 * Allows one server at a time in a data folder, since each start treats running asks as left behind. Returns what
 * releases the lock.
 */
export function claimDataFolder(data_dir: string): () => void {
  let release: (() => void) | null
  try {
    release = holdFile(privateFile(data_dir, LOCK_FILE))
  } catch (cause) {
    throw new DatabaseUnusable(`the data folder ${data_dir} (data.data_dir) cannot be used: ${reasonOf(cause)}`, {
      cause,
    })
  }
  if (release !== null) return release
  throw new DatabaseUnusable(
    `another server is using the data folder ${data_dir}: the embedded database is for one at a time. Stop that one, or use PostgreSQL (DATABASE_URL)`,
  )
}
