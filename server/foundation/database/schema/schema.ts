import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import { accountTables } from './accounts.ts'
import { askingTables } from './asking.ts'
import { auditTables } from './audit.ts'
import { conversationTables, fileTables } from './conversations.ts'
import type { Engine, KyselyTable, Table } from './definition.ts'
import { instructionTables } from './instructions.ts'
import { keyTables } from './keys.ts'
import { noticeTables } from './notices.ts'
import { planTables } from './plans.ts'
import { poolTables } from './pools.ts'
import { jobTables, settingTables, statisticsTables } from './portal.ts'
import { shareTables } from './shares.ts'
import { signInTables } from './signIn.ts'
import { usageTables } from './usage.ts'
import { usageRequestTables } from './usageRequests.ts'
import { upstreamTables } from './upstreams.ts'

/** Every table, in an order in which they can be created: a table stands after those it references. */
export const tables = {
  ...accountTables,
  ...planTables,
  ...keyTables,
  ...conversationTables,
  ...askingTables,
  ...fileTables,
  ...instructionTables,
  ...settingTables,
  ...jobTables,
  ...upstreamTables,
  ...statisticsTables,
  ...auditTables,
  ...usageTables,
  ...usageRequestTables,
  ...poolTables,
  ...shareTables,
  ...noticeTables,
  ...signInTables,
} satisfies Record<string, Table>

export type Tables = { [name in keyof typeof tables]: KyselyTable<(typeof tables)[name]> }

export type Database = Kysely<Tables>

/** A transaction is a Database too, and can be passed wherever one is expected. */
export type Transaction = KyselyTransaction<Tables>

/** Sends writes together with the commit, which saves a round trip. */
export type SendWithCommit = (...writes: Promise<unknown>[]) => void

/**
 * The work of a transaction. A write passed to `sendWithCommit` must have started all its queries, and the work cannot
 * use its result. If one of them fails, the transaction fails.
 */
export type Work<T> = (trx: Transaction, sendWithCommit: SendWithCommit) => Promise<T>

export type TransactionOptions = {
  /** On SQLite, where all writes share one connection, later ones of normal priority may go first, for a while. */
  lowPriority?: boolean
}

export type OpenDatabase = {
  database: Database
  engine: Engine
  /**
   * All of the work or none of it. PostgreSQL may run the work again from its beginning, so it must do nothing but
   * queries.
   */
  transaction<T>(work: Work<T>, options?: TransactionOptions): Promise<T>
  /**
   * For reads that may take long: statistics, lists, exports. On SQLite they run on the worker thread, for ten seconds
   * and with 50,000 rows at most, and see what is committed when they start. On PostgreSQL it is `database`.
   */
  readOnly(): Database
  isUniqueViolation(error: unknown): boolean
  /** Waits for running queries and transactions. May be called again. */
  close(): Promise<void>
  /** Throws when the database does not answer. */
  check(): Promise<void>
  /** SQLite only: writes a complete copy to a file that must not exist yet, while the database is in use. */
  backup(to: string): Promise<void>
  /**
   * Takes what was deleted out of the files of the database, as far as this does not hold up everybody: SQLite
   * overwrites what it deletes, so that only the log is emptied; PostgreSQL rewrites tables that are small. False where
   * something may be left.
   */
  overwriteDeleted(): Promise<boolean>
  /** PostgreSQL only. */
  url?: string
}

/** Receives the text of each statement, never its values, which hold people's words and secrets. */
export type OnStatement = (sql: string) => void

/**
 * A transaction's `sendWithCommit`, and the writes that it received. Whoever awaits all of them gets the failure of
 * any.
 */
export function writesWithCommit(): { sendWithCommit: SendWithCommit; writes: readonly Promise<unknown>[] } {
  const writes: Promise<unknown>[] = []
  return {
    writes,
    sendWithCommit(...sent) {
      for (const write of sent) write.catch(() => undefined)
      writes.push(...sent)
    },
  }
}
