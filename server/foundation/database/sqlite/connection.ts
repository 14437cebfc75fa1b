// The only file that imports node:sqlite, whose DatabaseSync is about to be renamed.
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import type { SqliteStatement } from 'kysely'
import { decodeJson, encodeParameter, isBoolColumn, isJsonColumn } from '../schema/codec.ts'

/** Earlier versions may corrupt the file when one connection writes while another one checkpoints. */
const OLDEST_SQLITE = [3, 51, 3]

/** Statements that are kept prepared. A query with a list has one for each length of the list. */
const STATEMENTS_KEPT = 400

const PRAGMAS = [
  'journal_mode = WAL',
  'secure_delete = ON', // what is deleted is overwritten in the file
  'synchronous = NORMAL', // SQLite flushes in checkpoints only; groupCommit.ts flushes after commits
  'temp_store = MEMORY', // for the journals of savepoints
  'foreign_keys = ON',
  'trusted_schema = OFF',
  'journal_size_limit = 67108864',
  'wal_autocheckpoint = 0', // database.ts starts them, on another thread
]

type Prepared = SqliteStatement & {
  readonly writes: boolean
  /** The rows, unless there are more than that. */
  atMost(most: number, parameters: readonly unknown[]): Record<string, unknown>[]
}

/** Pages of the write-ahead log: all of them, and those that are in the database already. */
export type LogPages = { log: number; checkpointed: number }

export type SqliteFile = {
  close(): void
  prepare(sql: string): Prepared
  isInTransaction(): boolean
  /** Whether anything was written since the previous call. */
  hasWritten(): boolean
  /** Runs statements that return nothing. */
  execute(sql: string): void
  /** The length of the write-ahead log, or none if it cannot be read. */
  logPages(): LogPages
  /** The rows as they are stored: for pragmas and checks. */
  rows(sql: string): Record<string, SQLOutputValue>[]
}

/** A further connection, which reads what is committed. It can run checkpoints, but writes nothing else. */
export function openSqliteReader(path: string): SqliteFile {
  const reader = openSqliteFile(path)
  reader.execute('pragma query_only = on')
  // kilobytes: a plot of a month by half hours reads about 10 MB, and SQLite would keep 2
  reader.execute('pragma cache_size = -16384')
  return reader
}

/** Opens the file. Parameters and results go through the codec. */
export function openSqliteFile(path: string, events: StatementEvents = {}): SqliteFile {
  const connection = new DatabaseSync(path, { timeout: 5_000, defensive: true, enableForeignKeyConstraints: true })
  try {
    requireVersion(connection)
    for (const pragma of PRAGMAS) connection.exec(`pragma ${pragma}`)
  } catch (cause) {
    connection.close()
    throw cause
  }
  const statements = new Map<string, Prepared>()
  let written = false
  const onWritten = () => {
    written = true
  }
  return {
    // Closing rolls back: work that is cut short by it fails, and has nothing to take back.
    isInTransaction: () => connection.isOpen && connection.isTransaction,
    hasWritten() {
      const before = written
      written = false
      return before
    },
    close: () => connection.close(),
    execute: sql => connection.exec(sql),
    rows: sql => connection.prepare(sql).all(),
    logPages() {
      try {
        const counted = connection.prepare('pragma wal_checkpoint(noop)').get()
        return { log: Number(counted?.['log']), checkpointed: Number(counted?.['checkpointed']) }
      } catch {
        return { log: 0, checkpointed: 0 }
      }
    },
    prepare(sql) {
      const known = statements.get(sql)
      // As long as nothing has to go, their order does not matter.
      if (known !== undefined && statements.size < STATEMENTS_KEPT) return known
      const statement = known ?? preparedStatement(connection, sql, { ...events, onWritten })
      // Put back at the end: the first of the map is then the one not used for longest.
      statements.delete(sql)
      statements.set(sql, statement)
      if (statements.size > STATEMENTS_KEPT) statements.delete(statements.keys().next().value ?? sql)
      return statement
    },
  }
}

/** Writes a complete, compact copy of a database in use to a new file. It blocks its thread: see backup.ts. */
export function copySqliteFile(from: string, to: string): void {
  const source = new DatabaseSync(from, { timeout: 5_000, readOnly: true })
  try {
    source.prepare('vacuum into ?').run(to)
  } finally {
    source.close()
  }
  const copy = new DatabaseSync(to, { readOnly: true })
  try {
    const problems = [
      ...copy.prepare('pragma integrity_check').all(),
      ...copy.prepare('pragma foreign_key_check').all(),
    ]
    if (problems.length !== 1 || problems[0]?.['integrity_check'] !== 'ok') {
      throw new Error(`the copy is not sound: ${JSON.stringify(problems.slice(0, 5))}`)
    }
  } finally {
    copy.close()
  }
}

/** Leaves WAL mode, for a file that nobody has open: a log that lies where the file is put does not belong to it. */
export function leaveWriteAheadLog(path: string): void {
  const connection = new DatabaseSync(path, { timeout: 5_000 })
  try {
    connection.exec('pragma journal_mode = delete')
  } finally {
    connection.close()
  }
}

/** SQLITE_BUSY. */
const BUSY = 5

/**
 * Locks a file until it is released or the process ends, however it ends; null when somebody else has the lock. It is a
 * lock of the operating system, so no stale process id is left behind that another process or container may have.
 */
export function holdFile(path: string): (() => void) | null {
  const connection = new DatabaseSync(path, { timeout: 0 })
  try {
    connection.exec('begin exclusive')
    return () => connection.close()
  } catch (cause) {
    connection.close()
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === BUSY) return null
    throw cause
  }
}

/** Primary result codes: CORRUPT and NOTADB. */
const UNREADABLE = new Set([11, 26])

/** Whether that is why a file cannot be opened: it is damaged, or no database at all. */
export function isUnreadable(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && UNREADABLE.has(Number(cause.errcode) & 0xff)
}

/** IOERR_FSYNC and IOERR_DIR_FSYNC. */
const SYNC_FAILURES = new Set<unknown>([1034, 1290])

/** Whether SQLite could not have something flushed to the disk. */
export function isSyncFailure(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && SYNC_FAILURES.has(cause.errcode)
}

function requireVersion(connection: DatabaseSync): void {
  const version = String(connection.prepare('select sqlite_version() as version').get()?.['version'])
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [oldMajor = 0, oldMinor = 0, oldPatch = 0] = OLDEST_SQLITE
  if ((major - oldMajor || minor - oldMinor || patch - oldPatch) >= 0) return
  throw new Error(`SQLite ${version} is too old: ${OLDEST_SQLITE.join('.')} or newer is needed`)
}

/**
 * May match a read, which then only waits for its turn in the write queue, but never misses a write. A pragma runs
 * outside of transactions.
 */
const WRITES = /^(?!\s*pragma).*\b(insert|update|delete|replace|create|alter|drop)\b/is

const CHANGES_ROWS = /^\s*(insert|update|delete)\b/i

type StatementEvents = {
  /** Called before each run. */
  onStatement?(sql: string): void
  /** The disk has refused to flush. SQLite itself flushes the header of a log that begins anew. */
  onSyncFailure?(cause: unknown): void
}

function preparedStatement(
  connection: DatabaseSync,
  sql: string,
  { onStatement, onSyncFailure, onWritten }: StatementEvents & { onWritten(): void },
): Prepared {
  const statement = connection.prepare(sql)
  const toRow = rowMaker(statement)
  const reader = statement.columns().length > 0
  // What removes terms from FTS5 leaves 2^53 and more as the last row id, which node:sqlite refuses to make a number
  // of.
  if (!reader) statement.setReadBigInts(true)
  const writes = WRITES.test(sql)
  const changesRows = CHANGES_ROWS.test(sql)

  function reported<T>(query: () => T): T {
    onStatement?.(sql)
    try {
      return query()
    } catch (cause) {
      if (isSyncFailure(cause)) onSyncFailure?.(cause)
      throw cause
    }
  }

  return {
    writes,
    reader,
    all: parameters =>
      reported(() => {
        if (writes) onWritten()
        return statement.all(...encoded(parameters)).map(toRow)
      }),
    run: parameters =>
      reported(() => {
        const done = statement.run(...encoded(parameters))
        // What changed no row has nothing that would have to reach the disk: one that takes nothing is not asked in
        // vain.
        if (writes && !(changesRows && Number(done.changes) === 0)) onWritten()
        return done
      }),
    atMost(most, parameters) {
      const rows: Record<string, unknown>[] = []
      for (const row of statement.iterate(...encoded(parameters))) {
        if (rows.length === most) throw new RangeError(`a heavy read has more than ${most} rows: read it in pages`)
        rows.push(toRow(row))
      }
      return rows
    },
    iterate() {
      throw new Error('rows are read in pages: they are not streamed on PostgreSQL, so not here either')
    },
  }
}

/** Takes rows as arrays and builds them here: half the time of the rows that node:sqlite builds. */
function rowMaker(statement: StatementSync): (row: unknown) => Record<string, unknown> {
  statement.setReturnArrays(true)
  const columns = statement.columns().map(({ name, column }) => ({ name, decode: decoder(name, column) }))
  return row => {
    const values = row as SQLOutputValue[] // setReturnArrays makes it so; the types of Node do not know
    const made: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index]
      if (column) made[column.name] = column.decode ? column.decode(values[index]) : values[index]
    }
    return made
  }
}

/** A bool is known by its column even under another name, since PostgreSQL's booleans are too. */
function decoder(name: string, column: string | null): ((value: unknown) => unknown) | null {
  if (isJsonColumn(name)) return decodeJson
  return isBoolColumn(column ?? name) ? value => (value === null ? null : value === 1) : null
}

function encoded(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map(parameter => {
    const value = encodeParameter(parameter)
    if (typeof value === 'boolean') return value ? 1n : 0n
    // node:sqlite binds every number as a real; then 3 / 2 would be 1.5 here and 1 on PostgreSQL.
    // the others fail in the driver
    return Number.isSafeInteger(value) ? BigInt(value as number) : (value as SQLInputValue)
  })
}
