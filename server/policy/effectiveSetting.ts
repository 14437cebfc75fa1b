import { type ExpressionBuilder, sql } from 'kysely'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import { type CountState, remainingOf, UNBOUNDED } from '#server/usage/counts.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { IN_ALL, usageStore, usedOf } from '#server/usage/store.ts'
import { DAY, defaultPlan, type EffectivePolicy, effectivePolicy, type SourceSettingRow } from './plans.ts'
import { allowanceOf, settingStore } from './store.ts'

/** What is stored of a person and source: own values, and what was used. */
type Stored = {
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

export function effectiveSetting({ row, allowances, used }: Stored, configuration: Configuration): EffectiveSetting {
  const source = sourceOf(row)
  const policy = effectivePolicy({ row, allowances }, defaultPlan(configuration, source))
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
): Promise<EffectiveSetting[]> {
  const store = settingStore(database)
  const [rows, allowances, used] = await Promise.all([
    store.sources(user_ids),
    store.allowances(user_ids),
    usageStore(database).list(user_ids),
  ])
  const [allowancesOf, used_by] = [Map.groupBy(allowances, ownerKey), Map.groupBy(used, ownerKey)]
  return rows.map(row =>
    effectiveSetting(
      { row, allowances: allowancesOf.get(ownerKey(row)) ?? [], used: used_by.get(ownerKey(row)) ?? [] },
      configuration,
    ),
  )
}

const ownerKey = ({ user_id, source }: { user_id: number; source: string }) => `${user_id} ${source}`

/** Of one person and source; undefined when there is no such person. */
export async function findEffectiveSetting(
  database: Database,
  configuration: Configuration,
  user_id: number,
  source: Source,
): Promise<EffectiveSetting | undefined> {
  const row = await settingStore(database).source(user_id, source)
  return row && readEffective(database, configuration, row)
}

/** With a row that is read already, and perhaps locked: what was used is read after it. */
export async function readEffective(
  database: Database,
  configuration: Configuration,
  row: SourceSettingRow,
): Promise<EffectiveSetting> {
  const owner = { user_id: row.user_id, source: sourceOf(row) }
  const [allowances, used] = await Promise.all([
    settingStore(database).allowancesOf(owner),
    usageStore(database).of(owner),
  ])
  return effectiveSetting({ row, allowances, used }, configuration)
}

type Row = ExpressionBuilder<Tables, 'user_source_settings'>

/** The same in SQL, for the conditions and orders of lists: of a row of `user_source_settings`. */
export const effectiveColumns = (database: Database, configuration: Configuration) => {
  const plan = defaultPlan(configuration, 'openai_api')
  /** By source, where the plan has different values for them. */
  const bySource = (valueOf: (source: Source) => number) =>
    sql<number>`case user_source_settings.source when 'openai_web' then ${sql.lit(valueOf('openai_web'))} else ${sql.lit(valueOf('openai_api'))} end`
  return {
    allow_to_use: sql<boolean>`coalesce(user_source_settings.allow_to_use, ${sql.lit(plan.allow_to_use)})`,
    valid_until:
      plan.valid_days === null
        ? sql<number | null>`case when has_own_validity then valid_until end`
        : sql<
            number | null
          >`case when has_own_validity then valid_until else begin_time + ${sql.lit(plan.valid_days * DAY)} end`,
    /** Of a model, or in all; below 0 where it is unlimited. */
    allowed: (eb: Row, model: string) =>
      model === IN_ALL
        ? sql<number>`coalesce(total_ask_allowed, ${sql.lit(plan.total_ask_allowed)})`
        : sql<number>`coalesce(${allowanceOf(database, of(eb), model)}, ${bySource(
            source => defaultPlan(configuration, source).per_model_ask_allowed.get(model) ?? -1,
          )})`,
    used: (eb: Row, model: string) => sql<number>`coalesce(${usedOf(database, of(eb), model)}, 0)`,
  }
}

const of = (eb: Row) => ({
  user_id: eb.ref('user_source_settings.user_id'),
  source: eb.ref('user_source_settings.source'),
})
