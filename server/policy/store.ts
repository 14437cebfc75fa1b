import { type Expression, type NotNull, sql, type Updateable } from 'kysely'
import { UNLIMITED } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { Engine, RowOf } from '#server/foundation/database/schema/definition.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import { upstreamOfSetting } from '#server/upstreams/store.ts'
import { membersChanged } from './members.ts'
import { planIdOf } from './planStore.ts'
import type { OwnPolicy, OwnValues } from './plans.ts'

export type AllowanceRow = RowOf<typeof tables.user_model_allowances>

type Owner = { user_id: number; source: Source }

const settingsOf = (database: Database, { user_id, source }: Owner) =>
  database
    .selectFrom('user_source_settings')
    .where('user_source_settings.user_id', '=', user_id)
    .where('source', '=', source)

/** Settings with the plan of their person, and what else is the person's own. */
const settingsWithPlan = (database: Database) =>
  database
    .selectFrom('user_source_settings')
    .leftJoin('user_policy_values', 'user_policy_values.user_id', 'user_source_settings.user_id')
    .selectAll('user_source_settings')
    .select(['plan_id', 'own_limits', 'own_values'])
const settingWithPlan = (database: Database, { user_id, source }: Owner) =>
  settingsWithPlan(database).where('user_source_settings.user_id', '=', user_id).where('source', '=', source)
const ofSource = prepared((database, owner: Owner) => settingWithPlan(database, owner))
/** Subquery: limits in the list of the person of a setting. */
const listedOf = (database: Database) =>
  database
    .selectFrom('user_policy_values')
    .where(sql<boolean>`user_policy_values.user_id = user_source_settings.user_id`)
    .where('own_limits', 'is not', null)
    .select('user_policy_values.user_id')
/** Subquery: the setting, where a rate is limited. `inherited`: whether one is that the setting may inherit. */
export const withRateLimits = (database: Database, { inherited, ...owner }: Owner & { inherited: boolean }) =>
  settingsOf(database, owner).where(
    sql<boolean>`(rate_limits <> '[]' or (rate_limits is null and (${inherited} or exists ${listedOf(database)})))`,
  )
/** Subquery: the setting, where the number of conversations is limited. `inherited` as above. */
export const withBoundedConversations = (database: Database, { inherited, ...owner }: Owner & { inherited: boolean }) =>
  settingsOf(database, owner).where(sql<boolean>`(max_conv_count >= 0 or (max_conv_count is null and ${inherited}))`)
const ownEndpoint = prepared((database, { user_id }: { user_id: number }) =>
  database
    .selectFrom('user_source_settings')
    .where('source', '=', 'openai_api')
    .where('custom_openai_api_url', 'is not', null)
    .select(['custom_openai_api_url as url', 'custom_openai_api_key as key', 'allow_custom_openai_api as allowed'])
    .select(upstreamOfSetting(database).as('upstream_id'))
    .select(planIdOf(database).as('plan_id'))
    .$narrowType<{ url: NotNull; upstream_id: NotNull }>()
    .where('user_id', '=', user_id),
)
/** Subquery: the settings of a person, given by an expression so that a query can join them. */
export const settingsOfEach = (database: Database, user_id: Expression<number>) =>
  database.selectFrom('user_source_settings').where('user_source_settings.user_id', '=', user_id)
const ofSourceForUpdate = prepared((database, owner: Owner) =>
  settingWithPlan(database, owner).forUpdate('user_source_settings'),
)

/** Subquery: how many asks of each model a person may ask, where it is their own value. */
export const ownAllowances = (database: Database, { user_id, source }: Owner) =>
  database.selectFrom('user_model_allowances').where('user_id', '=', user_id).where('source', '=', source)

/** Subquery: the same of one model, for the person and source of a row. */
export const allowanceOf = (
  database: Database,
  of: { user_id: Expression<number>; source: Expression<string> },
  model: string,
) =>
  database
    .selectFrom('user_model_allowances')
    .where('user_model_allowances.user_id', '=', of.user_id)
    .where('user_model_allowances.source', '=', of.source)
    .where('user_model_allowances.model', '=', model)
    .select('user_model_allowances.ask_allowed')

type Columns = Updateable<Tables['user_source_settings']>

/** As they are stored: null may be a value of one's own for `valid_until` alone. */
const columnsOf = ({ valid_until, ...values }: Partial<OwnPolicy>): Columns =>
  valid_until === undefined ? values : { ...values, valid_until, has_own_validity: true }

/** The columns that decide whether somebody may ask at all. */
const OF_MEMBERS = ['allow_to_use', 'available_models', 'valid_until', 'has_own_validity'] as const

/** Millionths of the portal's currency; a whole number of credits is as much of it. */
const MILLION = 1_000_000

/** Gives back credits that were taken as money; takes some where there are fewer. Unlimited ones stay. */
export const giveCredits = (database: Database, user_id: number, millionths: number) =>
  database
    .updateTable('user_credits')
    .set({ credits: sql<number>`credits + ${millionths / MILLION}` })
    .where('user_id', '=', user_id)
    .where('credits', '<>', UNLIMITED)
    .execute()

/** What somebody has of credits, in millionths of money; without an end where they are unlimited. */
export async function creditsAsMoney(database: Database, user_id: number): Promise<number> {
  const row = await database
    .selectFrom('user_credits')
    .select('credits')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  const credits = row?.credits ?? 0
  // A sum of fractions may miss a millionth by less than nothing.
  return credits === UNLIMITED ? Infinity : Math.max(0, Math.floor(credits * MILLION + 0.001))
}

/** What people may ask, as it is stored. Queries and nothing else. Takes a transaction as well as the database. */
export function settingStore(database: Database) {
  /** Null is inherited, but for `valid_until`, which `has_own_validity` says. */
  async function setColumns(user_id: number, source: Source, columns: Columns): Promise<void> {
    if (Object.values(columns).every(value => value === undefined)) return
    await database
      .updateTable('user_source_settings')
      .set(columns)
      .where('user_id', '=', user_id)
      .where('source', '=', source)
      .execute()
    if (OF_MEMBERS.some(name => columns[name] !== undefined)) await membersChanged(database)
  }

  return {
    /** The rows of a new account. */
    async insert(user_id: number, { credits, sources }: OwnValues, begin_time: number): Promise<void> {
      await database.insertInto('user_credits').values({ user_id, credits }).execute()
      for (const source of SOURCES)
        await database
          .insertInto('user_source_settings')
          .values({ user_id, source, begin_time, ...columnsOf(sources[source]) })
          .execute()
    },

    /** Of these users, or of all. */
    sources: (user_ids: readonly number[] | null) =>
      settingsWithPlan(database)
        .$if(user_ids !== null, query => query.where('user_source_settings.user_id', 'in', user_ids ?? []))
        .execute(),
    /** Of these users and one source. */
    ofSource: (source: Source, user_ids: readonly number[]) =>
      settingsWithPlan(database)
        .where('user_source_settings.source', '=', source)
        .where('user_source_settings.user_id', 'in', user_ids)
        .execute(),
    allowances: (user_ids: readonly number[] | null) =>
      database
        .selectFrom('user_model_allowances')
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
    allowancesOf: (owner: Owner) => ownAllowances(database, owner).selectAll().execute(),

    /** The user's own address, the encrypted key, and whether an administrator allows it; null: as the plan says. */
    ownEndpoint: (user_id: number) => ownEndpoint.first(database, { user_id }),

    /** The addresses of users' own, and the encrypted keys of those who entered one and are not forbidden it. */
    ownKeys: () =>
      database
        .selectFrom('user_source_settings')
        .where('source', '=', 'openai_api')
        .where(sql<boolean>`coalesce(allow_custom_openai_api, true)`)
        .where('custom_openai_api_url', 'is not', null)
        .where('custom_openai_api_key', 'is not', null)
        .select(['user_id', 'custom_openai_api_url as url', 'custom_openai_api_key as key'])
        .orderBy('user_id')
        .$narrowType<{ url: NotNull }>()
        .execute(),

    /**
     * Locks the row until the end of the transaction. Taking from a count and setting it need this lock; giving back
     * only subtracts, and needs none.
     */
    sourceForUpdate: (user_id: number, source: Source, engine: Engine) =>
      (engine === 'postgresql' ? ofSourceForUpdate : ofSource).first(database, { user_id, source }),

    /** Makes these values the person's own, and leaves the others as they are. */
    async changeSource(
      user_id: number,
      source: Source,
      values: Partial<OwnPolicy> & Pick<Columns, 'custom_openai_api_url' | 'custom_openai_api_key'>,
    ): Promise<void> {
      await setColumns(user_id, source, columnsOf(values))
    },

    setColumns,
    removeAllowance: ({ model, ...owner }: Owner & { model: string }) =>
      database
        .deleteFrom('user_model_allowances')
        .where('user_id', '=', owner.user_id)
        .where('source', '=', owner.source)
        .where('model', '=', model)
        .execute(),

    setAllowance: ({ ask_allowed, ...of }: AllowanceRow) =>
      database
        .insertInto('user_model_allowances')
        .values({ ...of, ask_allowed })
        .onConflict(conflict => conflict.columns(['user_id', 'source', 'model']).doUpdateSet({ ask_allowed }))
        .execute(),

    setCredits: (user_id: number, credits: number) =>
      database.updateTable('user_credits').set({ credits }).where('user_id', '=', user_id).execute(),
  }
}
