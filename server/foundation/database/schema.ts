import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { KyselyTable, Table } from './tables.ts'
import { accountTables } from './schema/accounts.ts'
import { askingTables } from './schema/asking.ts'
import { conversationTables } from './schema/conversations.ts'
import { fileTables } from './schema/files.ts'
import { jobTables } from './schema/jobs.ts'
import { settingTables } from './schema/settings.ts'
import { upstreamTables } from './schema/upstreams.ts'

/** Every table of the program, in an order in which they can be made: a table stands after those it refers to. */
export const tables = {
  ...accountTables,
  ...conversationTables,
  ...askingTables,
  ...fileTables,
  ...settingTables,
  ...jobTables,
  ...upstreamTables,
} satisfies Record<string, Table>

export type Tables = { [name in keyof typeof tables]: KyselyTable<(typeof tables)[name]> }

export type Database = Kysely<Tables>

/** A transaction is a Database too: whatever takes a Database may be given one. */
export type Transaction = KyselyTransaction<Tables>

/** Writes that are sent together with the commit, which saves a round trip. */
export type SendWithCommit = (...writes: Promise<unknown>[]) => void

/**
 * The work of a transaction. Writes passed to `sendWithCommit` must each have started all their queries by then, and their results can no longer
 * change anything. If one fails, all fail.
 */
export type Work<T> = (trx: Transaction, sendWithCommit: SendWithCommit) => Promise<T>

export type TransactionOptions = {
  /** Can wait a little: on SQLite, where all who write share one connection, whoever comes later may go first, for a while. */
  lowPriority?: boolean
}
