import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { KyselyTable, Table } from './tables.ts'
import { accountTables } from './schema/accounts.ts'
import { askingTables } from './schema/asking.ts'
import { conversationTables } from './schema/conversations.ts'
import { fileTables } from './schema/files.ts'
import { settingTables } from './schema/settings.ts'

/** Every table of the program, in an order in which they can be made: a table stands after those it refers to. */
export const tables = { ...accountTables, ...conversationTables, ...askingTables, ...fileTables, ...settingTables } satisfies Record<string, Table>

export type Tables = { [name in keyof typeof tables]: KyselyTable<(typeof tables)[name]> }

export type Database = Kysely<Tables>

/** A transaction is a Database too: whatever takes a Database may be given one. */
export type Transaction = KyselyTransaction<Tables>

/**
 * What is done in a transaction. Writes that are handed to `last` travel with the commit, which saves a journey: each must have
 * begun all its queries by then, and what they answer can no longer change anything. The failure of one is that of all.
 */
export type Work<T> = (trx: Transaction, last: (...writes: Promise<unknown>[]) => void) => Promise<T>
