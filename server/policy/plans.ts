import type { Configuration } from '#contract/configuration/configuration.ts'
import { UNLIMITED, WHOLE_DAY } from '#contract/limits.ts'
import { MODEL_CODES, type Source, SOURCES } from '#contract/models.ts'
import { enabledModels } from '#server/configuration/models.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'

/** What is stored of a person and source. */
export type SourceSettingRow = RowOf<typeof tables.user_source_settings>

/** Stored in place of a list of models: every enabled one, also those enabled later. */
export const EVERY_MODEL = '*'

/** The stored list as clients see it: old ones know lists only. */
export function explicitModels(stored: readonly string[], configuration: Configuration, source: Source): string[] {
  return stored.includes(EVERY_MODEL) ? enabledModels(configuration, source).map(({ code }) => code) : [...stored]
}

/** The fields of a setting that are inherited where they are null. */
const POLICY_FIELDS = [
  'allow_to_use',
  'max_conv_count',
  'total_ask_allowed',
  'rate_limits',
  'daily_available_time_slots',
  'available_models',
  'disable_uploading',
  'use_team',
  'allow_custom_openai_api',
] as const
type PolicyField = (typeof POLICY_FIELDS)[number]

/** What somebody may ask of a source. */
export type Policy = { [field in PolicyField]: NonNullable<SourceSettingRow[field]> }

/** What a plan says of a source, with the models that it counts by themselves. */
export type Plan = Policy & {
  /** From the beginning of the account; null: for ever. */
  valid_days: number | null
  per_model_ask_allowed: ReadonlyMap<string, number>
}

/** What everybody inherits where they have no value of their own (configuration, section new_users). */
export function defaultPlan({ new_users, openai_web }: Configuration, source: Source): Plan {
  const { total_ask_count, per_model_ask_count, allow_custom_openai_api, ...limits } = new_users
  return {
    ...limits,
    total_ask_allowed: total_ask_count,
    available_models: [EVERY_MODEL],
    disable_uploading: false,
    use_team: source === 'openai_web' && openai_web.enable_team_subscription,
    allow_custom_openai_api: source === 'openai_api' && allow_custom_openai_api,
    per_model_ask_allowed: new Map(
      Object.entries(per_model_ask_count).filter(([model]) => sourcesOf(model).includes(source)),
    ),
  }
}

/** Whether an own value is needed for no rate to be limited, and for conversations to be unlimited. */
export const inheritsRateLimits = (configuration: Configuration, source: Source): boolean =>
  defaultPlan(configuration, source).rate_limits.length > 0
export const inheritsBoundedConversations = (configuration: Configuration, source: Source): boolean =>
  defaultPlan(configuration, source).max_conv_count >= 0

/** A code of neither source was added by an administrator, to openai_api. */
function sourcesOf(model: string): Source[] {
  const known = SOURCES.filter(source => (MODEL_CODES[source] as readonly string[]).includes(model))
  return known.length > 0 ? known : ['openai_api']
}

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

/** A value, and whether it is the person's own or the default plan's. */
export type Origin = 'own' | 'default'

type Stored = {
  row: SourceSettingRow
  /** Of the source of the row. */
  allowances: readonly { model: string; ask_allowed: number }[]
}

/** What somebody may ask of a source, with the origin of each value. Models are those with a count of their own. */
export type EffectivePolicy = Policy & {
  valid_until: number | null
  per_model_ask_allowed: ReadonlyMap<string, number>
  origin: Record<PolicyField | 'valid_until', Origin>
}

export function effectivePolicy({ row, allowances }: Stored, plan: Plan): EffectivePolicy {
  const inherited: Policy & { valid_until: number | null } = {
    ...plan,
    valid_until: plan.valid_days === null ? null : row.begin_time + plan.valid_days * DAY,
  }
  const own = POLICY_FIELDS.filter(field => row[field] !== null)
  return {
    ...pick(inherited, POLICY_FIELDS),
    ...pick(row as Policy, own), // those that are not null
    valid_until: row.has_own_validity ? row.valid_until : inherited.valid_until,
    per_model_ask_allowed: new Map([
      ...plan.per_model_ask_allowed,
      ...allowances.map(({ model, ask_allowed }) => [model, ask_allowed] as const),
    ]),
    origin: {
      ...(Object.fromEntries(POLICY_FIELDS.map(field => [field, row[field] === null ? 'default' : 'own'])) as Record<
        PolicyField,
        Origin
      >), // from the list of all fields
      valid_until: row.has_own_validity ? 'own' : 'default',
    },
  }
}

function pick<T extends object, K extends keyof T>(from: T, fields: readonly K[]): Pick<T, K> {
  return Object.fromEntries(fields.map(field => [field, from[field]])) as Pick<T, K> // from the same fields
}
