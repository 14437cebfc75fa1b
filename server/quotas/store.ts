import { type NotNull, sql, type Updateable } from 'kysely'
import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { type Engine, forUpdate } from '#server/foundation/database/definition.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
import type { tables } from '#server/foundation/database/schema.ts'
import type { RowOf } from '#server/foundation/database/tables.ts'
import { ownUpstream } from '#server/upstreams/store.ts'
import { ledgerStore, setEntry } from './ledger.ts'
import type { CountRow, Plan } from './plans.ts'

export type SourceSettingRow = RowOf<typeof tables.user_source_settings>

type Owner = { user_id: number; source: Source }

const settingsOf = (database: Database, { user_id, source }: Owner) =>
  database.selectFrom('user_source_settings').where('user_id', '=', user_id).where('source', '=', source)
const ofSource = prepared((database, owner: Owner) => settingsOf(database, owner).selectAll())
/** Subquery: the setting, where a rate is limited. */
export const withRateLimits = (database: Database, owner: Owner) =>
  settingsOf(database, owner).where(sql<boolean>`rate_limits <> '[]'`)
/** Subquery: the setting, where the number of conversations is limited. */
export const withBoundedConversations = (database: Database, owner: Owner) =>
  settingsOf(database, owner).where('max_conv_count', '>=', 0)
/** Subquery: the settings with an address of the person's own, where an administrator allows one. */
export const ownEndpoints = (database: Database) =>
  database
    .selectFrom('user_source_settings')
    .where('source', '=', 'openai_api')
    .where('allow_custom_openai_api', '=', true)
    .where('custom_openai_api_url', 'is not', null)
const ownEndpoint = prepared((database, { user_id }: { user_id: number }) =>
  ownEndpoints(database)
    .select(['custom_openai_api_url as url', 'custom_openai_api_key as key'])
    .select(ownUpstream(database, 'user_source_settings').as('upstream_id'))
    .$narrowType<{ url: NotNull; upstream_id: NotNull }>()
    .where('user_id', '=', user_id),
)
const ofSourceForUpdate = prepared((database, owner: Owner) => settingsOf(database, owner).selectAll().forUpdate())

/** Queries and nothing else. Takes a transaction as well as the database. */
export function settingStore(database: Database) {
  return {
    async insertPlan(user_id: number, { credits, sources, counts }: Plan, now: number): Promise<void> {
      await database.insertInto('user_credits').values({ user_id, credits }).execute()
      await database
        .insertInto('user_source_settings')
        .values(sources.map(row => ({ ...row, user_id })))
        .execute()
      if (counts.length > 0)
        await database
          .insertInto('user_model_ask_counts')
          .values(counts.map(row => ({ ...row, user_id })))
          .execute()
      await ledgerStore(database).write([
        ...sources.flatMap(({ source, total_ask_count }) =>
          setEntry({ user_id, source, model: null }, undefined, total_ask_count, now),
        ),
        ...counts.flatMap(({ source, model, ask_count }) =>
          setEntry({ user_id, source, model }, undefined, ask_count, now),
        ),
      ])
    },

    /** Of one user, or of all. */
    sources: (user_id: number | null) =>
      database
        .selectFrom('user_source_settings')
        .selectAll()
        .$if(user_id !== null, query => query.where('user_id', '=', user_id))
        .execute(),
    counts: (user_id: number | null) =>
      database
        .selectFrom('user_model_ask_counts')
        .selectAll()
        .$if(user_id !== null, query => query.where('user_id', '=', user_id))
        .execute(),
    credits: (user_id: number | null) =>
      database
        .selectFrom('user_credits')
        .selectAll()
        .$if(user_id !== null, query => query.where('user_id', '=', user_id))
        .execute(),

    source: (user_id: number, source: Source) => ofSource.first(database, { user_id, source }),

    /** The user's own address, and the encrypted key. */
    ownEndpoint: (user_id: number) => ownEndpoint.first(database, { user_id }),

    /** Locks the row until the end of the transaction. Taking from a count and setting it need this lock; giving back only adds, and needs none. */
    sourceForUpdate: (user_id: number, source: Source, engine: Engine) =>
      (engine === 'postgresql' ? ofSourceForUpdate : ofSource).first(database, { user_id, source }),

    /** Writes these columns only, so that a count that an ask takes from at the same moment is not overwritten. */
    async changeSource(
      user_id: number,
      source: Source,
      columns: Updateable<Tables['user_source_settings']>,
    ): Promise<void> {
      if (Object.values(columns).every(value => value === undefined)) return
      await database
        .updateTable('user_source_settings')
        .set(columns)
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .execute()
    },

    /** How many conversations a user may have; unlimited without a setting. */
    maxConvCount: (user_id: number, source: Source) =>
      settingsOf(database, { user_id, source })
        .select('max_conv_count')
        .executeTakeFirst()
        .then(row => row?.max_conv_count ?? UNLIMITED),

    setCredits: (user_id: number, credits: number) =>
      database.updateTable('user_credits').set({ credits }).where('user_id', '=', user_id).execute(),
  }
}

type Asker = { user_id: number; source: Source }
type Counted = Asker & { model: string }

/** Subquery: the asks left for each model. A model without a count is unlimited. */
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

/** The asks left, in total and of a model. Queries and nothing else. Takes a transaction as well as the database. */
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

    /** Takes one from a bounded count; false when none is left. */
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
