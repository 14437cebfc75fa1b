import type { Source } from '#contract/models.ts'
import { type Engine, forUpdate } from '#server/foundation/database/definition.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
import type { CountRow } from './plans.ts'

type Asker = { user_id: number; source: Source }
type Counted = Asker & { model: string }

/** Subquery: what is left to a person for each model. A model without a count is unlimited. */
export const modelCounts = (database: Database, { user_id, source }: Asker) =>
  database.selectFrom('user_model_ask_counts').where('user_id', '=', user_id).where('source', '=', source)

const takeTotal = prepared((database, { user_id, source }: Asker) =>
  database
    .updateTable('user_source_settings')
    .set(eb => ({ total_ask_count: eb('total_ask_count', '-', 1) }))
    .where('user_id', '=', user_id)
    .where('source', '=', source)
    .where('total_ask_count', '>', 0),
)

const takeOfModel = prepared((database, { user_id, source, model }: Counted) =>
  database
    .updateTable('user_model_ask_counts')
    .set(eb => ({ ask_count: eb('ask_count', '-', 1) }))
    .where('user_id', '=', user_id)
    .where('source', '=', source)
    .where('model', '=', model)
    .where('ask_count', '>', 0),
)

/** How many asks are left, in all and of a model. Queries and nothing else. Takes a transaction as well as the database. */
export function countStore(database: Database) {
  return {
    ofModelForUpdate: (user_id: number, source: Source, model: string, engine: Engine) =>
      modelCounts(database, { user_id, source })
        .select('ask_count')
        .where('model', '=', model)
        .$call(forUpdate(engine))
        .executeTakeFirst(),

    setOfModel: (user_id: number, { source, model, ask_count }: CountRow) =>
      database
        .insertInto('user_model_ask_counts')
        .values({ user_id, source, model, ask_count })
        .onConflict(conflict => conflict.columns(['user_id', 'source', 'model']).doUpdateSet({ ask_count }))
        .execute(),

    /** Takes one from a bounded count; false when there was none to take. Unlimited counts are not touched and give true. */
    takeTotal: ({ user_id, source }: Counted) => takeTotal.changes(database, { user_id, source }),
    takeOfModel: ({ user_id, source, model }: Counted) => takeOfModel.changes(database, { user_id, source, model }),

    /** Gives one back, unless an administrator has made the count unlimited meanwhile. */
    giveBackTotal: ({ user_id, source }: Counted) =>
      database
        .updateTable('user_source_settings')
        .set(eb => ({ total_ask_count: eb('total_ask_count', '+', 1) }))
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .where('total_ask_count', '>=', 0)
        .executeTakeFirst()
        .then(changed),

    giveBackOfModel: ({ user_id, source, model }: Counted) =>
      database
        .updateTable('user_model_ask_counts')
        .set(eb => ({ ask_count: eb('ask_count', '+', 1) }))
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .where('model', '=', model)
        .where('ask_count', '>=', 0)
        .executeTakeFirst()
        .then(changed),
  }
}

const changed = (result: { numUpdatedRows: bigint }): boolean => result.numUpdatedRows > 0n
