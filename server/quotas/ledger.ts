import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'

/** Why a count changed. `set`: by an administrator, or the plan of a new account. */
export type LedgerReason = 'reserved' | 'given back' | 'set'

export type LedgerEntry = {
  user_id: number
  source: Source
  model: string | null
  ask_id: string | null
  change: number
  of_total: boolean
  of_model: boolean
  reason: LedgerReason
  create_time: number
}

const insert = prepared((database, entry: LedgerEntry) => database.insertInto('ask_ledger').values(entry))

/** A row for each change of a count, with its reason. An ask without a count has no row. */
export function ledgerStore(database: Database) {
  const write = async (entries: readonly LedgerEntry[]): Promise<void> => {
    await Promise.all(entries.map(entry => insert.run(database, entry)))
  }
  const usedSince = (user_id: number, source: Source, of: 'of_total' | 'of_model', model: string | null) => {
    const rows = database
      .selectFrom('ask_ledger')
      .where('user_id', '=', user_id)
      .where('source', '=', source)
      .where(({ ref }) => ref(of)) // as the index says it
      .$if(model !== null, query => query.where('model', '=', model))
    const lastSet = rows.where('reason', '=', 'set').select(({ fn }) => fn.max('id').as('id'))
    return rows
      .select(({ fn }) => fn.sum<number | null>('change').as('change'))
      .where(({ eb, fn }) => eb('id', '>', fn.coalesce(lastSet, eb.lit(0))))
      .executeTakeFirstOrThrow()
      .then(row => -(row.change ?? 0))
  }
  return {
    write,

    /** Asks taken from a count, less those given back, since it was last set. */
    usedOfTotal: (user_id: number, source: Source) => usedSince(user_id, source, 'of_total', null),
    usedOfModel: (user_id: number, source: Source, model: string) => usedSince(user_id, source, 'of_model', model),

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

/** The ledger's entry for a count that was set. An unlimited count is summed as zero. */
export function setEntry(
  counted: Pick<LedgerEntry, 'user_id' | 'source' | 'model'>,
  before: number | undefined,
  after: number,
  create_time: number,
): LedgerEntry[] {
  const change = summed(after) - summed(before)
  const ofModel = counted.model !== null
  // Also when the number is the same: reservations from before the count was set must not be given back.
  return [{ ...counted, ask_id: null, change, of_total: !ofModel, of_model: ofModel, reason: 'set', create_time }]
}

const summed = (count: number | undefined): number => (count === undefined || count === UNLIMITED ? 0 : count)
