import { closeSync, fdatasync, openSync, chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OnStatement, OpenDatabase } from '#server/foundation/database/schema/schema.ts'
import { DatabaseUnusable, reasonOf } from '#server/foundation/databaseErrors.ts'
import { makeFolder, writeAtomically } from '#server/foundation/fileSystem.ts'
import { storageRefusalOf } from '#server/foundation/refusal.ts'
import { openSqliteFile, type SqliteFile, isSyncFailure, type LogPages, holdFile } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { openGroupCommit } from './groupCommit.ts'
import { markAsOverwriting, overwriting } from './overwriting.ts'
import { openWorker } from './worker.ts'

/** Extended result codes: UNIQUE, PRIMARY KEY and rowid constraints. */
const UNIQUE_VIOLATIONS = new Set([2067, 1555, 2579])

/**
 * Opens the database in the data folder, and makes both if they are not there. Nobody else on the machine may read
 * them.
 */
export function openSqlite(data_dir: string, onStatement: OnStatement): OpenDatabase {
  const { path, file } = openFile(data_dir, onStatement)
  const log = logOf(path)
  const worker = openWorker(path)
  const groupCommit = openGroupCommit({
    ...file,
    run: statement => void file.prepare(statement).run([]),
    sync: log.sync,
    ...checkpoints({
      pages: file.logPages,
      checkpoint: () => worker.run({ kind: 'checkpoint' }),
      onSyncFailure: endProcess,
      onFailure: warnOfCheckpoint,
    }),
  })
  return {
    ...sqliteDialect({ file, groupCommit, worker, onStatement }),
    engine: 'sqlite',
    isUniqueViolation: error =>
      error instanceof Error && 'errcode' in error && UNIQUE_VIOLATIONS.has(Number(error.errcode)),
    check: async () => {
      file.rows('select 1 from sqlite_schema limit 1')
    },
    backup: to => backUpSqlite(path, to),
    overwriteDeleted: overwriting({
      file,
      checkpoint: () => worker.run({ kind: 'checkpoint' }),
      between: query => groupCommit.read(query),
    }),
    async close() {
      await groupCommit.idle()
      await worker.close()
      optimize(file)
      file.close()
      log.close()
    },
  }
}

/** Updates the statistics that queries are planned by. A disk that takes nothing is no reason not to close in order. */
function optimize(file: SqliteFile): void {
  try {
    file.execute('pragma optimize')
  } catch (cause) {
    if (storageRefusalOf(cause) === null) throw cause
  }
}

/** The write-ahead log. It exists only from the first write, so that the first flush opens it. */
function logOf(path: string) {
  const flush = promisify(fdatasync)
  let descriptor: number | undefined
  return {
    /**
     * Waits for the disk in a thread of Node's pool. Rejects when the log cannot be opened; then it can be called
     * again.
     */
    async sync(): Promise<void> {
      descriptor ??= openSync(`${path}-wal`, 'r+')
      await flush(descriptor).catch(endProcess)
    },
    close(): void {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

/**
 * After a failed fsync the system may report success for the same pages the next time, so that a hole would stay in the
 * log, in front of what is acknowledged later. SQLite must not close in order either, since that removes the log, from
 * which the next start has everything.
 */
function endProcess(cause: unknown): never {
  process.stderr.write(
    `Chat Commons ends: the disk refuses what is written to the database (${reasonOf(cause)}). Nothing is lost of what it took.\n`,
  )
  process.exit(1)
}

/** A full disk is told of by whatever else it refuses. */
function warnOfCheckpoint(cause: unknown): void {
  if (storageRefusalOf(cause) !== null) return
  process.emitWarning(
    `the write-ahead log could not be copied into the database (${reasonOf(cause)}). Nothing is lost: it grows until that succeeds, which is tried again.`,
  )
}

function openFile(data_dir: string, onStatement: OnStatement) {
  try {
    const path = privateFile(data_dir)
    const isNew = statSync(path).size === 0
    const file = openSqliteFile(path, { onStatement, onSyncFailure: endProcess })
    if (isNew) markAsOverwriting(file)
    // A process whose disk refused may have left a log with a hole. Nothing is written behind it: what it holds goes
    // into the database first.
    file.execute('pragma wal_checkpoint(passive)')
    return { path, file }
  } catch (cause) {
    throw new DatabaseUnusable(`the database in ${data_dir} cannot be opened: ${reasonOf(cause)}`, { cause })
  }
}

/**
 * Copies a SQLite database to a new file while it is being used and written to. There is no incomplete copy under that
 * name. Its worker is its own, so that no checkpoint waits for a long backup.
 */
async function backUpSqlite(from: string, to: string): Promise<void> {
  const worker = openWorker(from)
  try {
    await writeAtomically(to, async beside => void (await worker.run({ kind: 'backup', to: beside })))
  } catch (cause) {
    throw new Error(`the backup to ${to} failed: ${reasonOf(cause)}`, { cause })
  } finally {
    await worker.close()
  }
}

/** Pages to copy after which a checkpoint starts: SQLite's own default. */
const START_AT = 1_000
/** Pages of the log, 64 MB, above which the write queue waits for a checkpoint. */
const WAIT_ABOVE = 16_384

type Dependencies = {
  pages(): LogPages
  /** Copies into the database what it can of the log, on another thread, and waits for the disk. */
  checkpoint(): Promise<unknown>
  /** The disk has refused to flush: nobody knows what it has and what it has not. */
  onSyncFailure(cause: unknown): void
  /** Any other failure, told once until a checkpoint succeeds: the log grows meanwhile. */
  onFailure(cause: unknown): void
  start_at?: number
  wait_above?: number
}

/**
 * Runs a checkpoint when the log has grown, one at a time. SQLite writes the log from its beginning again only when a
 * checkpoint has copied all of it, which it never has while others go on writing: so they wait once in a while.
 * Whatever fails but the disk's flush loses nothing: the log still has all of it, and the next batch tries again.
 */
export function checkpoints({
  pages,
  checkpoint,
  onSyncFailure,
  onFailure,
  start_at = START_AT,
  wait_above = WAIT_ABOVE,
}: Dependencies) {
  let running: Promise<void> | null = null
  let hasFailed = false

  async function run(): Promise<void> {
    try {
      await checkpoint()
      hasFailed = false
    } catch (cause) {
      if (isSyncFailure(cause)) onSyncFailure(cause)
      else if (!hasFailed) onFailure(cause)
      hasFailed = true
    } finally {
      running = null
    }
  }

  return {
    /** Resolves at once, unless the log has grown too large: then when one checkpoint has ended. */
    async afterBatch(): Promise<void> {
      const { log, checkpointed } = pages()
      if (log > wait_above || log - checkpointed >= start_at) running ??= run()
      if (log > wait_above) await running
    },
  }
}

export const DATABASE_FILE = 'commons.sqlite'

/**
 * SQLite gives its -wal and -shm files the rights of the database, so that the file has to be private from the
 * beginning.
 */
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
