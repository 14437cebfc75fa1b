import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import { type CountState, remainingOf, UNBOUNDED } from '#server/usage/counts.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { Engine } from '#server/foundation/database/schema/definition.ts'
import { IN_ALL, usageStore, usedOf } from '#server/usage/store.ts'
import { asBoolean, asWhole, listedColumns } from './listedColumns.ts'
import { DAY, type EffectivePolicy, effectivePolicy, type SourceSettingRow } from './plans.ts'
import { COMMON_FIELDS, type CommonInForce, type Plans, plansOf, type ResolvedPlan } from './planTree.ts'
import { planIdOf, planStore } from './planStore.ts'
import { allowanceOf, settingStore } from './store.ts'

/** What is stored of a person and source: own values, and what was used. */
export type StoredSetting = {
  row: SourceSettingRow
  allowances: readonly { model: string; ask_allowed: number }[]
  used: readonly { model: string; used: number }[]
}

/**
 * What somebody may ask of a source, what is left of it, and the origin of each value. Nothing else reads what is
 * stored of it.
 */
export type EffectiveSetting = EffectivePolicy &
  Pick<SourceSettingRow, 'user_id' | 'custom_openai_api_url' | 'custom_openai_api_key'> & {
    source: Source
    total: CountState
    /** What remains; -1 is unlimited. */
    total_ask_count: number
    /** Of the models with a count. */
    models: ReadonlyMap<string, CountState>
  }

/** `configuration`: with the plans (`withPlans`). `now`: what is kept until a time holds until then. */
export function effectiveSetting(
  { row, allowances, used }: StoredSetting,
  configuration: Configuration,
  now: number,
): EffectiveSetting {
  const source = sourceOf(row)
  const policy = effectivePolicy({ row, allowances }, plansOf(configuration).of(row.plan_id, source), now)
  const usedOfModel = new Map(used.map(each => [each.model, each.used]))
  const total = { allowed: policy.total_ask_allowed, used: usedOfModel.get(IN_ALL) ?? 0 }
  return {
    ...policy,
    user_id: row.user_id,
    source,
    custom_openai_api_url: row.custom_openai_api_url,
    custom_openai_api_key: row.custom_openai_api_key,
    total,
    total_ask_count: remainingOf(total),
    models: new Map(
      [...policy.per_model_ask_allowed].map(([model, allowed]) => [
        model,
        { allowed, used: usedOfModel.get(model) ?? 0 },
      ]),
    ),
  }
}

/** What is left of a model; unlimited where it has no count. */
export const remainingOfModel = ({ models }: EffectiveSetting, model: string): number =>
  remainingOf(models.get(model) ?? UNBOUNDED)

const sourceOf = ({ source }: SourceSettingRow): Source => SOURCES.find(each => each === source) ?? 'openai_api'

/** Of these users, or of all, by a fixed number of queries. */
export async function effectiveSettings(
  database: Database,
  configuration: Configuration,
  user_ids: readonly number[] | null,
  now: number = Date.now(),
): Promise<EffectiveSetting[]> {
  const stored = await storedSettings(database, user_ids)
  return stored.map(each => effectiveSetting(each, configuration, now))
}

/** What is stored of them, for whoever compares what it comes to by several configurations. */
export async function storedSettings(database: Database, user_ids: readonly number[] | null): Promise<StoredSetting[]> {
  const store = settingStore(database)
  const [rows, allowances, used] = await Promise.all([
    store.sources(user_ids),
    store.allowances(user_ids),
    usageStore(database).list(user_ids),
  ])
  const [allowancesOf, used_by] = [Map.groupBy(allowances, ownerKey), Map.groupBy(used, ownerKey)]
  return rows.map(row => ({
    row,
    allowances: allowancesOf.get(ownerKey(row)) ?? [],
    used: used_by.get(ownerKey(row)) ?? [],
  }))
}

const ownerKey = ({ user_id, source }: { user_id: number; source: string }) => `${user_id} ${source}`

/** Of one person and source; undefined when there is no such person. */
export async function findEffectiveSetting(
  database: Database,
  configuration: Configuration,
  user_id: number,
  source: Source,
  now: number = Date.now(),
): Promise<EffectiveSetting | undefined> {
  const row = await settingStore(database).source(user_id, source)
  return row && readEffective(database, configuration, row, now)
}

/** With a row that is read already, and perhaps locked: what was used is read after it. */
export async function readEffective(
  database: Database,
  configuration: Configuration,
  row: SourceSettingRow,
  now: number = Date.now(),
): Promise<EffectiveSetting> {
  const owner = { user_id: row.user_id, source: sourceOf(row) }
  const [allowances, used] = await Promise.all([
    settingStore(database).allowancesOf(owner),
    usageStore(database).of(owner),
  ])
  return effectiveSetting({ row, allowances, used }, configuration, now)
}

type PersonValues = Pick<SourceSettingRow, 'plan_id' | 'own_values'>

/** What is of no source: of one's own, else of the nearest plan. Null: as the settings of the portal say. */
export function effectiveCommon(configuration: Configuration, row: PersonValues | undefined): CommonInForce {
  const inherited = plansOf(configuration).common(row?.plan_id ?? null)
  const own = COMMON_FIELDS.flatMap(field => {
    const value = row?.own_values?.[field]
    return value === null || value === undefined ? [] : [[field, { value, origin: { from: 'own' } }] as const]
  })
  return { ...inherited, ...Object.fromEntries(own) }
}

/** The same of a person who is not read yet. */
export const effectiveValues = async (
  database: Database,
  configuration: Configuration,
  user_id: number,
): Promise<CommonInForce> => effectiveCommon(configuration, await planStore(database).of(user_id))

type Row = ExpressionBuilder<Tables, 'user_source_settings'>

type Context = { database: Database; engine: Engine; configuration: Configuration; now: number }

/** The same in SQL, for the conditions and orders of lists: of a row of `user_source_settings`. */
export const effectiveColumns = ({ database, engine, configuration, now }: Context) => {
  const plans = plansOf(configuration)
  const inherited = (valueOf: (plan: ResolvedPlan) => number | boolean) => byPlan(database, plans, valueOf)
  const validity = inherited(({ values }) => values.valid_days.value * DAY)
  const listed = listedColumns(engine, now)
  return {
    allow_to_use: sql<boolean>`coalesce(user_source_settings.allow_to_use, ${listed.spared('allow_to_use', asBoolean)}, ${inherited(({ values }) => values.allow_to_use.value)})`,
    valid_until: sql<number | null>`case
      when has_own_validity then valid_until
      when ${listed.isSpared('valid_until')} then ${listed.spared('valid_until', asWhole)}
      when ${validity} >= 0 then begin_time + ${validity}
    end`,
    /** Of a model, or in all; below 0 where it is unlimited. */
    allowed: (eb: Row, model: string) =>
      model === IN_ALL
        ? sql<number>`coalesce(total_ask_allowed, ${listed.allowed(null)}, ${inherited(({ older }) => older.total_ask_allowed)})`
        : sql<number>`coalesce(${allowanceOf(database, of(eb), model)}, ${listed.allowed(model)}, ${inherited(
            ({ older }) => older.per_model_ask_allowed.get(model) ?? -1,
          )})`,
    used: (eb: Row, model: string) => sql<number>`coalesce(${usedOf(database, of(eb), model)}, 0)`,
  }
}

/** What somebody inherits, by their plan and source: the values of the plans are written into the query. */
function byPlan(
  database: Database,
  plans: Plans,
  valueOf: (plan: ResolvedPlan) => number | boolean,
): RawBuilder<number | boolean> {
  const bySource = SOURCES.map(source => {
    const usual = valueOf(plans.of(null, source))
    const others = plans.rows.flatMap(({ id }) => {
      const value = valueOf(plans.of(id, source))
      return value === usual ? [] : [sql`when ${sql.lit(id)} then ${sql.lit(value)}`]
    })
    if (others.length === 0) return { isUsual: true, usual, value: sql.lit(usual) }
    return {
      isUsual: false,
      usual,
      value: sql`case ${planIdOf(database)} ${sql.join(others, sql` `)} else ${sql.lit(usual)} end`,
    }
  })
  const [web, api] = bySource
  if (web === undefined || api === undefined) throw new Error('there are two sources')
  if (web.isUsual && api.isUsual && web.usual === api.usual) return sql.lit(web.usual)
  return sql`case user_source_settings.source when 'openai_web' then ${web.value} else ${api.value} end`
}

const of = (eb: Row) => ({
  user_id: eb.ref('user_source_settings.user_id'),
  source: eb.ref('user_source_settings.source'),
})
