import { sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import { CHARGED_WHOLE, paidOf } from '#contract/quietAsks.ts'
import type { Database } from '#server/foundation/database/open.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'

export type UsageSum = RowOf<typeof tables.usage_sums>

/** Why a line is there. `settled`: an ask was answered. The others are an administrator's, and no use. */
export type UsageReason = 'settled' | 'granted' | 'taken back' | 'set'

type LedgerRow = RowOf<typeof tables.usage_ledger>

/** Of whose share of a shared account it is. `borrowed`: in the unit of the window in which it was borrowed. */
export type LineShare = Pick<LedgerRow, 'borrowed' | 'borrowed_key' | 'lender_id' | 'charged'>

/** By which key and with which tool it was asked; null: by the page. */
type LineTool = Pick<LedgerRow, 'key_id' | 'tool'>

export type UsageLine = Omit<LedgerRow, 'id' | keyof LineShare | keyof LineTool> &
  Partial<LineShare & LineTool> & { reason: UsageReason }

const OF_PAGE: LineShare & LineTool = {
  borrowed: 0,
  borrowed_key: null,
  lender_id: null,
  charged: 1_000,
  key_id: null,
  tool: null,
}

/** Milliseconds: sums are kept by half hours, in which the midnights of almost all time zones fall. */
export const HALF_HOUR = 1_800_000

/** A user of nobody: what somebody used who was erased. */
const NOBODY = 0

const addLine = prepared((database, line: UsageLine & LineShare & LineTool) =>
  database.insertInto('usage_ledger').values(line),
)

const KEYS = ['user_id', 'start_time', 'source', 'upstream_id', 'model'] as const
const AMOUNTS = [
  'asks',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'estimated_asks',
  'cost',
  'credit_cost',
  'ask_time_ms',
  'uncharged_asks',
  'uncharged_tokens',
  'uncharged_cost',
] as const

/** What is added where there is a sum already. */
const addedTo = (table: 'usage_sums' | 'usage_months') =>
  Object.fromEntries(
    AMOUNTS.map(name => [name, sql<number>`${sql.ref(`${table}.${name}`)} + excluded.${sql.ref(name)}`]),
  )

const addSum = prepared((database, sum: UsageSum) =>
  database
    .insertInto('usage_sums')
    .values(sum)
    .onConflict(conflict => conflict.columns([...KEYS]).doUpdateSet(addedTo('usage_sums'))),
)
const addMonth = prepared((database, sum: UsageSum) =>
  database
    .insertInto('usage_months')
    .values(sum)
    .onConflict(conflict => conflict.columns([...KEYS]).doUpdateSet(addedTo('usage_months'))),
)

/** When the month of UTC began. */
function monthOf(time: number): number {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

/** What of a line its person does not pay: what is paid is rounded up. */
function unchargedOf({ asks, tokens, cost, charged = CHARGED_WHOLE }: UsageLine) {
  const spared = (amount: number): number => amount - paidOf(amount, charged)
  return {
    uncharged_asks: asks * (CHARGED_WHOLE - charged),
    uncharged_tokens: spared(tokens),
    uncharged_cost: spared(cost),
  }
}

/** Subquery: lines of what was used. */
export const usedLines = (database: Database) => database.selectFrom('usage_ledger').where('reason', '=', 'settled')

/** Subquery: the same in sums. */
export const usedSums = (database: Database) => database.selectFrom('usage_sums')

/**
 * What people used, line by line and in sums. Queries and nothing else. Takes a transaction as well as the database.
 */
export function usageLedgerStore(database: Database) {
  return {
    /** Writes what an ask used, as a line and into its sum. */
    async settle(line: UsageLine, ask_time_ms: number): Promise<void> {
      const { user_id, source, upstream_id, model, asks, input_tokens, cached_tokens, output_tokens } = line
      const sum = {
        user_id,
        source,
        upstream_id,
        model,
        asks,
        input_tokens,
        cached_tokens,
        output_tokens,
        estimated_asks: line.estimated ? 1 : 0,
        cost: line.cost,
        credit_cost: line.credit_cost,
        ask_time_ms,
        ...unchargedOf(line),
      }
      await Promise.all([
        addLine.run(database, { ...OF_PAGE, ...line }),
        addSum.run(database, { ...sum, start_time: Math.floor(line.asked_time / HALF_HOUR) * HALF_HOUR }),
        addMonth.run(database, { ...sum, start_time: monthOf(line.asked_time) }),
      ])
    },

    /** A line that is no use of anybody: more that was granted, say. */
    note: (line: UsageLine) => addLine.run(database, { ...OF_PAGE, ...line }),

    /** All lines of a person, in the order in which they were written. */
    listOf: (user_id: number) =>
      database.selectFrom('usage_ledger').selectAll().where('user_id', '=', user_id).orderBy('id').execute(),

    /** Whether anything ever had a cost: from then on the currency stays. */
    hasCost: async (): Promise<boolean> =>
      (await database.selectFrom('usage_ledger').select('id').where('cost', '>', 0).limit(1).executeTakeFirst()) !==
      undefined,

    /** Keeps what somebody used without saying who it was. Gives how many lines there are. */
    async forget(user_id: number): Promise<number> {
      const { numUpdatedRows } = await database
        .updateTable('usage_ledger')
        .set({ user_id: NOBODY, ask_id: null, key_id: null })
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow()
      for (const table of ['usage_sums', 'usage_months'] as const) await forgetIn(database, table, user_id)
      await database.deleteFrom('usage_windows').where('user_id', '=', user_id).execute()
      return Number(numUpdatedRows)
    },
  }
}

/** Adds what somebody used to what is nobody's. */
async function forgetIn(database: Database, table: 'usage_sums' | 'usage_months', user_id: number): Promise<void> {
  const columns = [...KEYS, ...AMOUNTS] as const
  await database
    .insertInto(table)
    .columns([...columns])
    .expression(
      database
        .selectFrom(table)
        .where('user_id', '=', user_id)
        .select([sql<number>`0`.as('user_id'), ...columns.filter(name => name !== 'user_id')]),
    )
    .onConflict(conflict => conflict.columns([...KEYS]).doUpdateSet(addedTo(table)))
    .execute()
  await database.deleteFrom(table).where('user_id', '=', user_id).execute()
}

type WindowOpening = { user_id: number; limit_key: string; opened_at: number }

const openWindow = prepared((database, opened: WindowOpening) =>
  database
    .insertInto('usage_windows')
    .values(opened)
    .onConflict(conflict =>
      conflict.columns(['user_id', 'limit_key']).doUpdateSet({ opened_at: sql<number>`excluded.opened_at` }),
    ),
)

/** When first asks opened windows. Queries and nothing else. */
export function windowStore(database: Database) {
  return {
    of: (user_id: number) =>
      database.selectFrom('usage_windows').select(['limit_key', 'opened_at']).where('user_id', '=', user_id).execute(),

    /** A window that is over is opened anew. Whoever opens one holds the lock of the person. */
    open: (opened: WindowOpening) => openWindow.run(database, opened),

    /** An ask that got no answer has opened nothing. */
    close: ({ user_id, limit_key, opened_at }: WindowOpening) =>
      database
        .deleteFrom('usage_windows')
        .where('user_id', '=', user_id)
        .where('limit_key', '=', limit_key)
        .where('opened_at', '=', opened_at)
        .execute(),
  }
}

/** Of a person and source, since a moment: whether anything was used; by a key alone, where one is given. */
export const hasUsedSince = async (
  database: Database,
  { user_id, source, since, key_id }: { user_id: number; source: Source; since: number; key_id: number | null },
): Promise<boolean> =>
  (await usedLines(database)
    .select('id')
    .$if(key_id !== null, query => query.where('key_id', '=', key_id))
    .where('user_id', '=', user_id)
    .where('source', '=', source)
    .where('asked_time', '>=', since)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** By half hours: how much everybody asked of a source since then. */
export const askedByHalfHours = (
  database: Database,
  source: Source,
  since: number,
): Promise<{ start_time: number; asks: number }[]> =>
  usedSums(database)
    .where('source', '=', source)
    .where('start_time', '>=', since)
    .groupBy('start_time')
    .select(['start_time', sql<number>`cast(sum(asks) as bigint)`.as('asks')])
    .execute()
