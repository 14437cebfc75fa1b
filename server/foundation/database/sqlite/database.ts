import { chmodSync, closeSync, existsSync, fdatasync, fdatasyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../../makeFolder.ts'
import { storageRefusalOf } from '../../storageRefusal.ts'
import { backUpSqlite } from './backup.ts'
import { checkpoints } from './checkpoints.ts'
import type { OnStatement, OpenDatabase } from '../open.ts'
import { holdFile, openSqliteFile, openSqliteReader, type SqliteFile } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { openGroupCommit } from './groupCommit.ts'
import { DatabaseUnusable, reasonOf } from '../unusable.ts'

export const DATABASE_FILE = 'commons.sqlite'

/** Extended result codes: UNIQUE, PRIMARY KEY and rowid constraints. */
const UNIQUE_VIOLATIONS = new Set([2067, 1555, 2579])

/** Opens the database in the data folder, and makes both if they are not there. Nobody else on the machine may read them. */
export function openSqlite(data_dir: string, onStatement: OnStatement): OpenDatabase {
  const { path, database, file, reader } = openFiles(data_dir, onStatement)
  const log = onDisk(`${path}-wal`)
  const run = (statement: string) => {
    file.prepare(statement).run([])
  }
  const moving = checkpoints({
    connect: () => openSqliteReader(path),
    syncLog: log.sync,
    syncDatabase: database.sync,
    onRefused: endAtOnce,
  })
  const sync = async () => {
    await log.sync()
    moving.written()
  }
  const groupCommit = openGroupCommit({ run, isInTransaction: file.isInTransaction, hasWritten: file.hasWritten, sync })
  return {
    ...sqliteDialect({ file, reader, groupCommit }),
    engine: 'sqlite',
    isUniqueViolation: error =>
      error instanceof Error && 'errcode' in error && UNIQUE_VIOLATIONS.has(Number(error.errcode)),
    check: async () => {
      file.rows('select 1 from sqlite_schema limit 1')
    },
    backup: to => backUpSqlite(path, to),
    async close() {
      await groupCommit.idle()
      await moving.close()
      reader.close()
      optimize(file)
      file.close()
      // Not before: when a process closes a file, the system takes back the locks that SQLite has on it.
      log.close()
      database.close()
    },
  }
}

/** What queries are planned by. A disk that takes nothing is no reason not to close in order. */
function optimize(file: SqliteFile): void {
  try {
    file.execute('pragma optimize')
  } catch (cause) {
    if (storageRefusalOf(cause) === null) throw cause
  }
}

/** Flushes a file to the disk. It is opened with the first flush, since the log exists only from the first write. */
function onDisk(path: string) {
  const flush = promisify(fdatasync)
  let descriptor: number | undefined
  const opened = () => (descriptor ??= openSync(path, 'r+'))
  return {
    /** Waits in a thread of Node's pool. Rejects when the file cannot be opened: then it can be asked again. */
    async sync(): Promise<void> {
      await flush(opened()).catch(endAtOnce)
    },
    /** Lets everything wait. */
    syncNow(): void {
      fdatasyncSync(opened())
    },
    close(): void {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

/**
 * What the disk has refused it may take for written the next time it is asked, so that a hole would stay in the log before all that is
 * acknowledged later. Nothing is closed in order: that would remove the log, from which the next start has everything.
 */
function endAtOnce(cause: unknown): never {
  process.stderr.write(
    `Chat Commons ends: the disk refuses what is written to the database (${reasonOf(cause)}). Nothing is lost of what it took.\n`,
  )
  process.exit(1)
}

function openFiles(data_dir: string, onStatement: OnStatement) {
  try {
    const path = privateFile(data_dir)
    const database = onDisk(path)
    // A process that died after it had moved the log, and before that was on the disk, may have left it to another one that uses the files.
    database.syncNow()
    const file = openSqliteFile(path, onStatement)
    // What it left in the log is moved and waited for, so that nothing is written behind a part that the disk may have refused.
    file.execute('pragma wal_checkpoint(passive)')
    return { path, database, file, reader: openSqliteReader(path, onStatement) }
  } catch (cause) {
    throw new DatabaseUnusable(`the database in ${data_dir} cannot be opened: ${reasonOf(cause)}`, { cause })
  }
}

/** SQLite gives its -wal and -shm files the rights of the database, so that the file has to be private from the beginning. */
function privateFile(data_dir: string, name = DATABASE_FILE): string {
  const path = join(data_dir, name)
  const made = makeFolder(data_dir)
  // A folder that holds other things may be someone else's, /tmp for one: its rights are not ours to change.
  if (!made && (existsSync(path) || readdirSync(data_dir).length === 0)) chmodSync(data_dir, 0o700)
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  return path
}

const LOCK_FILE = 'server.lock'

/** Allows one server at a time in a data folder, since each start treats running asks as left behind. Returns what releases the lock. */
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
