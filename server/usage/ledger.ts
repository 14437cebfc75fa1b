import { sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import { CHARGED_QUIET, CHARGED_WHOLE } from '#contract/quietAsks.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'

/**
 * Why a count changed. `set`: by an administrator, or the plan of a new account; nothing of it is used. `adjusted`: by
 * an administrator; what has been used stays used.
 */
type LedgerReason = 'reserved' | 'given back' | 'set' | 'adjusted'

export type LedgerEntry = {
  user_id: number
  source: Source
  model: string | null
  ask_id: string | null
  /** In asks, or halves of them. */
  change: number
  of_total: boolean
  of_model: boolean
  reason: LedgerReason
  create_time: number
}

const insert = prepared((database, entry: LedgerEntry & { charged: number }) =>
  database.insertInto('ask_ledger').values(entry),
)

/** Stored are whole numbers: halves are so many asks, each charged half. */
const storedEntry = (entry: LedgerEntry): LedgerEntry & { charged: number } =>
  Number.isInteger(entry.change)
    ? { ...entry, charged: CHARGED_WHOLE }
    : { ...entry, change: Math.round((entry.change * CHARGED_WHOLE) / CHARGED_QUIET), charged: CHARGED_QUIET }

/** Only rows that changed a count: earlier versions wrote others, too. The condition is that of the index. */
const changesOf = (database: Database, { user_id, source }: { user_id: number; source: Source | null }) =>
  database
    .selectFrom('ask_ledger')
    .where('user_id', '=', user_id)
    .where(sql<boolean>`(of_total or of_model)`)
    .$if(source !== null, query => query.where('source', '=', source ?? ''))

/** A row for each change of a count, with its reason. An ask without a count has no row. */
export function ledgerStore(database: Database) {
  const write = async (entries: readonly LedgerEntry[]): Promise<void> => {
    await Promise.all(entries.map(entry => insert.run(database, storedEntry(entry))))
  }
  return {
    write,

    /** The changes of a person's counts, of one source or of both, the latest first; and how many there are. */
    page: (asked: { user_id: number; source: Source | null }, { limit, offset }: { limit: number; offset: number }) =>
      changesOf(database, asked)
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
        .then(rows => rows.map(({ charged, ...row }) => ({ ...row, change: (row.change * charged) / CHARGED_WHOLE }))),
    count: (asked: { user_id: number; source: Source | null }) =>
      changesOf(database, asked)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
        .then(row => row.count),

    /** Gives how many rows there were. */
    removeAllOf: async (user_id: number) => {
      const { numDeletedRows } = await database
        .deleteFrom('ask_ledger')
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    /** Whether an administrator has set a count since this ask reserved from it: then nothing is given back. */
    setSince: (
      counted: Pick<LedgerEntry, 'user_id' | 'source' | 'ask_id'>,
      of: 'of_total' | 'of_model',
      model: string | null,
    ) =>
      database
        .selectFrom('ask_ledger as later')
        .select('later.id')
        .innerJoin('ask_ledger as reservation', join => join.onRef('reservation.id', '<', 'later.id'))
        .where('reservation.ask_id', '=', counted.ask_id)
        .where('reservation.reason', '=', 'reserved')
        .where(({ ref }) => ref(`reservation.${of}`))
        .where('later.user_id', '=', counted.user_id)
        .where('later.source', '=', counted.source)
        .where('later.reason', '=', 'set')
        .where(({ ref }) => ref(`later.${of}`))
        .$if(model !== null, query => query.where('later.model', '=', model))
        .limit(1)
        .executeTakeFirst()
        .then(row => row !== undefined),
  }
}

/**
 * The ledger's entry for a count that an administrator changed. Also where the change is 0: reservations from before a
 * count was set must not be given back.
 */
export function changeEntry(
  counted: Pick<LedgerEntry, 'user_id' | 'source' | 'model'>,
  change: Pick<LedgerEntry, 'change' | 'reason' | 'create_time'>,
): LedgerEntry {
  const ofModel = counted.model !== null
  return { ...counted, ask_id: null, of_total: !ofModel, of_model: ofModel, ...change }
}
