import { migrate } from './migrate.ts'
import type { OnStatement, OpenDatabase } from './schema/schema.ts'
import { openSqlite } from './sqlite/database.ts'

export type {
  Database,
  OnStatement,
  OpenDatabase,
  SendWithCommit,
  TransactionOptions,
  Tables,
  Transaction,
  Work,
} from './schema/schema.ts'

export type DatabaseStorage = { data_dir: string } | { database_url: string }

/** Opens the database and brings its schema up to date, unless `migrate` is false. */
export async function openDatabase(
  where: DatabaseStorage,
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

/** Loads the client only when it is needed, since it takes memory that a small machine lacks. */
async function openServer(url: string, onStatement: OnStatement): Promise<OpenDatabase> {
  const { openPostgresql } = await import('./postgresql/database.ts')
  return openPostgresql(url, onStatement)
}

function closedOnce(open: OpenDatabase): OpenDatabase {
  let closed: Promise<void> | undefined
  return { ...open, close: () => (closed ??= open.close()) }
}
