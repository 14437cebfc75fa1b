import type { Configuration } from '#contract/configuration/configuration.ts'
import { UNLIMITED, WHOLE_DAY } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { ValueOrigin } from '#contract/plans.ts'
import { enabledModels } from '#server/configuration/models.ts'
import type { OwnLimit, OwnCommonValues } from '#server/foundation/database/schema/plans.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import { EVERY_MODEL, listLimits, type ResolvedPlan, type Valued } from './planTree.ts'
import { mergeLimits, olderFields, olderForm, type PolicyLimit, withOrigin } from './limitList.ts'

/** What is stored of a person and source, the plan and what else is their own among it. */
export type SourceSettingRow = RowOf<typeof tables.user_source_settings> & {
  plan_id: number | null
  own_limits: OwnLimit[] | null
  own_values: OwnCommonValues | null
}

/** The stored list as clients see it: old ones know lists only. */
export function explicitModels(stored: readonly string[], configuration: Configuration, source: Source): string[] {
  return stored.includes(EVERY_MODEL) ? enabledModels(configuration, source).map(({ code }) => code) : [...stored]
}

/** The columns of a setting that are inherited where they are null; counts and rates are limits of the list, too. */
const VALUE_FIELDS = [
  'allow_to_use',
  'max_conv_count',
  'daily_available_time_slots',
  'available_models',
  'disable_uploading',
  'use_team',
  'allow_custom_openai_api',
] as const
const POLICY_FIELDS = [...VALUE_FIELDS, 'total_ask_allowed', 'rate_limits'] as const
type ValueField = (typeof VALUE_FIELDS)[number]
type PolicyField = (typeof POLICY_FIELDS)[number]

/** What somebody may ask of a source. */
export type Policy = { [field in PolicyField]: NonNullable<SourceSettingRow[field]> }

/** Values of one's own, by source; what is missing is inherited. */
export type OwnValues = { credits: number; sources: Record<Source, Partial<OwnPolicy>> }
export type OwnPolicy = Policy & { valid_until: number | null }

/** Somebody new inherits everything. */
export const NOTHING_OWN: OwnValues = { credits: 0, sources: { openai_web: {}, openai_api: {} } }

/** For administrators: no limits, whatever others inherit. */
export const UNLIMITED_VALUES: OwnValues = {
  credits: UNLIMITED,
  sources: { openai_web: unlimited('openai_web'), openai_api: unlimited('openai_api') },
}

function unlimited(source: Source): OwnPolicy {
  return {
    allow_to_use: true,
    valid_until: null,
    max_conv_count: UNLIMITED,
    total_ask_allowed: UNLIMITED,
    rate_limits: [],
    daily_available_time_slots: [WHOLE_DAY],
    available_models: [EVERY_MODEL],
    disable_uploading: false,
    use_team: false,
    allow_custom_openai_api: source === 'openai_api',
  }
}

/** Milliseconds. */
export const DAY = 86_400_000

const OWN = { from: 'own' } as const satisfies ValueOrigin

type Stored = {
  row: SourceSettingRow
  /** Of the source of the row. */
  allowances: readonly { model: string; ask_allowed: number }[]
}

/** What somebody may ask of a source, with the origin of each value. Models are those with a count of their own. */
export type EffectivePolicy = Policy & {
  valid_until: number | null
  per_model_ask_allowed: ReadonlyMap<string, number>
  origin: Record<PolicyField | 'valid_until', ValueOrigin>
  /** All limits that are none of the three older forms. */
  limits: readonly PolicyLimit[]
  /** Every limit of the person's list and of plans, of all forms. An own column of an older form comes before it. */
  listed: readonly PolicyLimit[]
  /** The columns of one's own that are limits of the older forms. */
  ownCounts: {
    total: number | null
    rates: Policy['rate_limits'] | null
    models: ReadonlyMap<string, number>
  }
}

/** `now`: what is kept until a time holds until then. */
export function effectivePolicy({ row, allowances }: Stored, plan: ResolvedPlan, now: number): EffectivePolicy {
  const own = ownLimitsOf(row, now)
  const listed = own.length === 0 ? plan.limits : mergeLimits(own, plan.limits)
  const older = own.length === 0 ? plan.older : olderFields(listed)
  const originOfLimits = (form: 'total' | 'rate'): ValueOrigin =>
    listed.find(limit => olderForm(limit) === form)?.origin ?? plan.values.allow_to_use.origin
  const values: Record<PolicyField | 'valid_until', Valued<unknown>> = {
    ...ownOrInherited(row, plan, now),
    total_ask_allowed: ownOr(row.total_ask_allowed, () => ({
      value: older.total_ask_allowed,
      origin: originOfLimits('total'),
    })),
    rate_limits: ownOr(row.rate_limits, () => ({ value: older.rate_limits, origin: originOfLimits('rate') })),
    valid_until: validityOf(row, plan, now),
  }
  const ownModels = allowances.map(({ model, ask_allowed }) => [model, ask_allowed] as const)
  const each = <Part extends keyof Valued<unknown>>(part: Part) =>
    Object.fromEntries(Object.entries(values).map(([field, valued]) => [field, valued[part]]))
  return {
    ...(each('value') as Policy & { valid_until: number | null }), // of the same fields
    per_model_ask_allowed: new Map([...older.per_model_ask_allowed, ...ownModels]),
    origin: each('origin') as EffectivePolicy['origin'], // of the same fields
    limits: listLimits(listed),
    listed,
    ownCounts: { total: row.total_ask_allowed, rates: row.rate_limits, models: new Map(ownModels) },
  }
}

const ownOr = <T>(own: T | null, inherited: () => Valued<T>): Valued<T> =>
  own === null ? inherited() : { value: own, origin: OWN }

function ownOrInherited(row: SourceSettingRow, plan: ResolvedPlan, now: number): Record<ValueField, Valued<unknown>> {
  const valued = VALUE_FIELDS.map(field => [
    field,
    ownOr<unknown>(row[field], () => sparedValue(row, field, now) ?? plan.values[field]),
  ])
  return Object.fromEntries(valued) as Record<ValueField, Valued<unknown>> // of all of them
}

function validityOf(row: SourceSettingRow, { values: { valid_days } }: ResolvedPlan, now: number): Valued<unknown> {
  if (row.has_own_validity) return { value: row.valid_until, origin: OWN }
  const inherited = valid_days.value < 0 ? null : row.begin_time + valid_days.value * DAY
  return sparedValue(row, 'valid_until', now) ?? { value: inherited, origin: valid_days.origin }
}

function sparedValue({ source, own_values }: SourceSettingRow, field: string, now: number): Valued<unknown> | null {
  const spared = own_values?.spared?.find(each => each.source === source && each.field === field && each.until > now)
  return spared === undefined
    ? null
    : { value: spared.value, origin: { ...OWN, until: new Date(spared.until).toISOString() } }
}

const NONE: readonly PolicyLimit[] = []

/** The person's list, of the source of the row and as far as it holds now. */
function ownLimitsOf({ source, own_limits }: SourceSettingRow, now: number): readonly PolicyLimit[] {
  if (own_limits === null || own_limits.length === 0) return NONE
  return own_limits
    .filter(limit => limit.source === source && (limit.until === null || limit.until > now))
    .map(limit => withOrigin(limit, OWN))
}
