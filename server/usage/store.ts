import { type Expression, sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'

type Owner = { user_id: number; source: Source }

/** In place of a model: the count of all asks of a source. */
export const IN_ALL = ''

/** A model, or IN_ALL. */
export type CountedAsks = Owner & { model: string }

/** Subquery: what a person has used of a source, by model. */
export const usedBy = (database: Database, { user_id, source }: Owner) =>
  database.selectFrom('ask_counts').where('user_id', '=', user_id).where('source', '=', source)

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
    .select('ask_counts.used')

const take = prepared((database, counted: CountedAsks) =>
  database
    .insertInto('ask_counts')
    .values({ ...counted, used: sql<number>`1` })
    .onConflict(conflict =>
      conflict.columns(['user_id', 'source', 'model']).doUpdateSet({ used: sql<number>`ask_counts.used + 1` }),
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
        .selectAll()
        .$if(user_ids !== null, query => query.where('user_id', 'in', user_ids ?? []))
        .execute(),

    of: (owner: Owner) => usedBy(database, owner).selectAll().execute(),

    /** One more. Whoever takes holds the lock of the person's setting, under which the count was checked. */
    take: (counted: CountedAsks) => take.run(database, counted),

    /** One less, without a lock: two at the same moment both count. */
    giveBack: ({ user_id, source, model }: CountedAsks) =>
      database
        .updateTable('ask_counts')
        .set(eb => ({ used: eb('used', '-', 1) }))
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .where('model', '=', model)
        .where('used', '>', 0)
        .executeTakeFirst()
        .then(({ numUpdatedRows }) => numUpdatedRows > 0n),

    /** Nothing of it is used. */
    reset: ({ user_id, source, model }: CountedAsks) =>
      database
        .updateTable('ask_counts')
        .set({ used: 0 })
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .where('model', '=', model)
        .execute(),
  }
}
