import { type Expression, sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'

type Owner = { user_id: number; source: Source }

/** In place of a model: the count of all asks of a source. */
export const IN_ALL = ''

/** A model, or IN_ALL. */
export type CountedAsks = Owner & { model: string }

/** Whole asks and halves together. */
const USED = sql<number>`ask_counts.used + ask_counts.used_halves * cast(0.5 as double precision)`

/** Subquery: what a person has used of a source, by model. */
export const usedBy = (database: Database, { user_id, source }: Owner) =>
  database
    .selectFrom('ask_counts')
    .where('user_id', '=', user_id)
    .where('source', '=', source)
    .select(['user_id', 'source', 'model', USED.as('used')])

/** Subquery: what the person and source of a row have used of a model; null when nothing. */
export const usedOf = (
  database: Database,
  of: { user_id: Expression<number>; source: Expression<string> },
  model: string,
) =>
  database
    .selectFrom('ask_counts')
    .where('ask_counts.user_id', '=', of.user_id)
    .where('ask_counts.source', '=', of.source)
    .where('ask_counts.model', '=', model)
    .select(USED.as('used'))

type Taken = CountedAsks & { used: number; used_halves: number }

/** Of asks and halves of them. */
function parted(asks: number): { used: number; used_halves: number } {
  const used = Math.floor(asks)
  return { used, used_halves: Math.round((asks - used) * 2) }
}

const take = prepared((database, counted: Taken) =>
  database
    .insertInto('ask_counts')
    .values(counted)
    .onConflict(conflict =>
      conflict.columns(['user_id', 'source', 'model']).doUpdateSet({
        used: sql<number>`ask_counts.used + excluded.used`,
        used_halves: sql<number>`ask_counts.used_halves + excluded.used_halves`,
      }),
    ),
)

/**
 * Asks that were taken from counts, and not given back. Queries and nothing else. Takes a transaction as well as the
 * database.
 */
export function usageStore(database: Database) {
  return {
    /** Of these users, or of all. */
    list: (user_ids: readonly number[] | null) =>
      database
        .selectFrom('ask_counts')
        .select(['user_id', 'source', 'model', USED.as('used')])
        .$if(user_ids !== null, query => query.where('user_id', 'in', user_ids ?? []))
        .execute(),

    of: (owner: Owner) => usedBy(database, owner).execute(),

    /** One more, or half of one. Whoever takes holds the lock of the person's setting, under which it was checked. */
    take: (counted: CountedAsks, asks: number) => take.run(database, { ...counted, ...parted(asks) }),

    /** So much less, without a lock: two at the same moment both count. */
    giveBack: ({ user_id, source, model }: CountedAsks, asks: number) => {
      const { used, used_halves } = parted(asks)
      return database
        .updateTable('ask_counts')
        .set(eb => ({ used: eb('used', '-', used), used_halves: eb('used_halves', '-', used_halves) }))
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .where('model', '=', model)
        .where('used', '>=', used)
        .where('used_halves', '>=', used_halves)
        .executeTakeFirst()
        .then(({ numUpdatedRows }) => numUpdatedRows > 0n)
    },

    /** So much is used besides what is. */
    putBack: (counted: CountedAsks, asks: number) => take.run(database, { ...counted, ...parted(asks) }),

    /** Nothing of it is used. */
    reset: ({ user_id, source, model }: CountedAsks) =>
      database
        .updateTable('ask_counts')
        .set({ used: 0, used_halves: 0 })
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .where('model', '=', model)
        .execute(),
  }
}
