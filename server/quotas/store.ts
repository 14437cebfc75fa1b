import { type Expression, type NotNull, sql, type Updateable } from 'kysely'
import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { type Engine, forUpdate } from '#server/foundation/database/definition.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
import type { tables } from '#server/foundation/database/schema.ts'
import type { RowOf } from '#server/foundation/database/tables.ts'
import { upstreamOfSetting } from '#server/upstreams/store.ts'
import { changeEntry, ledgerStore } from './ledger.ts'
import type { Plan } from './plans.ts'

export type SourceSettingRow = RowOf<typeof tables.user_source_settings>
export type ModelCountRow = RowOf<typeof tables.user_model_ask_counts>

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
const ownEndpoints = (database: Database) =>
  database
    .selectFrom('user_source_settings')
    .where('source', '=', 'openai_api')
    .where('allow_custom_openai_api', '=', true)
    .where('custom_openai_api_url', 'is not', null)
const ownEndpoint = prepared((database, { user_id }: { user_id: number }) =>
  ownEndpoints(database)
    .select(['custom_openai_api_url as url', 'custom_openai_api_key as key'])
    .select(upstreamOfSetting(database).as('upstream_id'))
    .$narrowType<{ url: NotNull; upstream_id: NotNull }>()
    .where('user_id', '=', user_id),
)
/** Subqueries: the settings and the counts of a person, given by an expression so that a query can join them. */
export const settingsOfEach = (database: Database, user_id: Expression<number>) =>
  database.selectFrom('user_source_settings').where('user_source_settings.user_id', '=', user_id)
export const countsOfEach = (database: Database, user_id: Expression<number>) =>
  database.selectFrom('user_model_ask_counts').where('user_model_ask_counts.user_id', '=', user_id)
const ofSourceForUpdate = prepared((database, owner: Owner) => settingsOf(database, owner).selectAll().forUpdate())

/** Queries and nothing else. Takes a transaction as well as the database. */
export function settingStore(database: Database) {
  return {
    async insertPlan(user_id: number, { credits, sources, counts }: Plan, now: number): Promise<void> {
      await database.insertInto('user_credits').values({ user_id, credits }).execute()
      await database
        .insertInto('user_source_settings')
        .values(sources.map(row => ({ ...row, user_id, total_ask_allowed: row.total_ask_count })))
        .execute()
      if (counts.length > 0)
        await database
          .insertInto('user_model_ask_counts')
          .values(counts.map(row => ({ ...row, user_id, ask_allowed: row.ask_count })))
          .execute()
      const entryOf = (counted: { source: Source; model: string | null }, after: number) =>
        changeEntry({ user_id, ...counted }, { before: undefined, after, reason: 'set', create_time: now })
      await ledgerStore(database).write([
        ...sources.map(({ source, total_ask_count }) => entryOf({ source, model: null }, total_ask_count)),
        ...counts.map(({ source, model, ask_count }) => entryOf({ source, model }, ask_count)),
      ])
    },

    /** Of these users, or of all. */
    sources: (user_ids: readonly number[] | null) =>
      database
        .selectFrom('user_source_settings')
        .selectAll()
        .$if(user_ids !== null, query => query.where('user_id', 'in', user_ids ?? []))
        .execute(),
    counts: (user_ids: readonly number[] | null) =>
      database
        .selectFrom('user_model_ask_counts')
        .selectAll()
        .$if(user_ids !== null, query => query.where('user_id', 'in', user_ids ?? []))
        .execute(),
    credits: (user_ids: readonly number[] | null) =>
      database
        .selectFrom('user_credits')
        .selectAll()
        .$if(user_ids !== null, query => query.where('user_id', 'in', user_ids ?? []))
        .execute(),

    source: (user_id: number, source: Source) => ofSource.first(database, { user_id, source }),

    /** The user's own address, and the encrypted key. */
    ownEndpoint: (user_id: number) => ownEndpoint.first(database, { user_id }),

    /** The addresses of users' own, and the encrypted keys of those who entered one. */
    ownKeys: () =>
      ownEndpoints(database)
        .select(['user_id', 'custom_openai_api_url as url', 'custom_openai_api_key as key'])
        .where('custom_openai_api_key', 'is not', null)
        .orderBy('user_id')
        .$narrowType<{ url: NotNull }>()
        .execute(),

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
    /** Giving back changes them without the lock of the setting. */
    forUpdate: (user_id: number, source: Source, engine: Engine) =>
      modelCounts(database, { user_id, source }).selectAll().orderBy('model').$call(forUpdate(engine)).execute(),

    /** How much is allowed of each model that has a count. */
    allowed: async (user_id: number, source: Source) => {
      const rows = await modelCounts(database, { user_id, source }).select(['model', 'ask_allowed']).execute()
      return new Map(rows.map(({ model, ask_allowed }) => [model, ask_allowed]))
    },

    setOfModel: ({ ask_count, ask_allowed, ...counted }: ModelCountRow) =>
      database
        .insertInto('user_model_ask_counts')
        .values({ ...counted, ask_count, ask_allowed })
        .onConflict(conflict =>
          conflict.columns(['user_id', 'source', 'model']).doUpdateSet({ ask_count, ask_allowed }),
        )
        .execute(),

    /** Takes one from a bounded count; false when none is left. */
    takeTotal: ({ user_id, source }: Counted) => takeTotal.changes(database, { user_id, source }),
    takeOfModel: ({ user_id, source, model }: Counted) => takeOfModel.changes(database, { user_id, source, model }),

    /** Gives one back, unless an administrator has made the count unlimited meanwhile, or allows no more than remains. */
    giveBackTotal: ({ user_id, source }: Counted) =>
      database
        .updateTable('user_source_settings')
        .set(eb => ({ total_ask_count: eb('total_ask_count', '+', 1) }))
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .whereRef('total_ask_count', '<', 'total_ask_allowed')
        .executeTakeFirst()
        .then(changed),

    giveBackOfModel: ({ user_id, source, model }: Counted) =>
      database
        .updateTable('user_model_ask_counts')
        .set(eb => ({ ask_count: eb('ask_count', '+', 1) }))
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .where('model', '=', model)
        .whereRef('ask_count', '<', 'ask_allowed')
        .executeTakeFirst()
        .then(changed),
  }
}

const changed = (result: { numUpdatedRows: bigint }): boolean => result.numUpdatedRows > 0n
