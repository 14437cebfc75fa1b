import type { Engine } from './definition.ts'
import { migrate } from './migrate.ts'
import type { Database, TransactionOptions, Work } from './schema.ts'
import { openSqlite } from './sqlite/database.ts'

export type { Database, SendWithCommit, TransactionOptions, Tables, Transaction, Work } from './schema.ts'

export type OpenDatabase = {
  database: Database
  engine: Engine
  /** All or nothing. On PostgreSQL the work may be run again from its beginning, so it must do nothing but queries. */
  transaction<T>(work: Work<T>, options?: TransactionOptions): Promise<T>
  /**
   * For reads that may take long: statistics, lists, exports. On SQLite they run on another thread, ten seconds and 50,000 rows at most, and see
   * what is committed when they start. On PostgreSQL it is `database`.
   */
  heavy(): Database
  isUniqueViolation(error: unknown): boolean
  /** Waits for running queries and transactions. May be called again. */
  close(): Promise<void>
  /** Throws when the database does not answer. */
  check(): Promise<void>
  /** SQLite only: writes a complete copy to a file that must not exist yet, while the database is in use. */
  backup(to: string): Promise<void>
  /** PostgreSQL only. */
  url?: string
}

export type DatabasePlace = { data_dir: string } | { database_url: string }

/** Called with the text of each statement, never its values: those hold people's words and secrets. */
export type OnStatement = (sql: string) => void

/** Opens the database and brings its schema up to date, unless `migrate` is false. */
export async function openDatabase(
  where: DatabasePlace,
  { migrate: wanted = true, onStatement = () => undefined }: { migrate?: boolean; onStatement?: OnStatement } = {},
): Promise<OpenDatabase> {
  const open = closedOnce(
    'database_url' in where
      ? await openServer(where.database_url, onStatement)
      : openSqlite(where.data_dir, onStatement),
  )
  try {
    if (wanted) await migrate(open)
    return open
  } catch (cause) {
    await open.close()
    throw cause
  }
}

/** Its client is loaded only where there is one: on a small machine its memory is missed. */
async function openServer(url: string, onStatement: OnStatement): Promise<OpenDatabase> {
  const { openPostgresql } = await import('./postgresql/database.ts')
  return openPostgresql(url, onStatement)
}

function closedOnce(open: OpenDatabase): OpenDatabase {
  let closed: Promise<void> | undefined
  return { ...open, close: () => (closed ??= open.close()) }
}
