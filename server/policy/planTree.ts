import type { Configuration } from '#contract/configuration/configuration.ts'
import { DEFAULT_PLAN, type PlanValues, type ValueOrigin } from '#contract/plans.ts'
import { UNLIMITED } from '#contract/limits.ts'
import { MODEL_CODES, type Source, SOURCES } from '#contract/models.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import {
  mergeLimits,
  modelLimit,
  olderFields,
  olderForm,
  type PolicyLimit,
  rateLimit,
  strictest,
  totalLimit,
  withOrigin,
} from './limitList.ts'

export type PlanRow = RowOf<typeof tables.plans>

/** What is stored of plans. `version` counts their changes. */
export type StoredPlans = { version: number; rows: readonly PlanRow[] }

/** Stored in place of a list of models: every enabled one, also those enabled later. */
export const EVERY_MODEL = '*'

export type SourceValues = Required<NonNullable<PlanValues['openai_web']>> &
  Required<NonNullable<PlanValues['openai_api']>>
export type SourceField = keyof SourceValues
export type CommonField = Exclude<keyof PlanValues, Source>

/** A value with whose it is. */
export type Valued<T> = { value: T; origin: ValueOrigin }

type InForce = { [field in SourceField]: Valued<NonNullable<SourceValues[field]>> }

/** What a plan comes to for a source: of each value, and each limit, the nearest on the way up. */
export type ResolvedPlan = {
  values: InForce
  /** Of all forms, also those that lift one that is inherited. */
  limits: readonly PolicyLimit[]
  older: ReturnType<typeof olderFields>
}
/** Null: as the settings of the portal say. */
export type CommonInForce = { [field in CommonField]: Valued<NonNullable<PlanValues[field]> | null> }

export type Plans = {
  version: number
  rows: readonly PlanRow[]
  /** Of an id that is gone, or null, it is the default plan. */
  of(plan_id: number | null, source: Source): ResolvedPlan
  common(plan_id: number | null): CommonInForce
  /** From the plan up to the default one. */
  wayUp(plan_id: number | null): PlanRow[]
}

/** A portal in which there is nothing but the default plan, as the settings have it. */
const NO_PLANS: StoredPlans = {
  version: 0,
  rows: [
    {
      id: DEFAULT_PLAN,
      name: 'Default',
      parent_id: null,
      plan_limits: [],
      plan_values: {},
      version: 0,
      create_time: 0,
      update_time: 0,
    },
  ],
}

const PLANS = Symbol('plans')
type WithPlans = Configuration & { [PLANS]?: StoredPlans }

/** The configuration with the plans: whoever reads what people may needs both. */
export const withPlans = (configuration: Configuration, plans: StoredPlans): Configuration =>
  ({ ...configuration, [PLANS]: plans }) as WithPlans // a symbol is no part of the schema

const trees = new WeakMap<Configuration, Plans>()

/** The plans of a configuration: the same object until it changes. */
export function plansOf(configuration: Configuration): Plans {
  const known = trees.get(configuration)
  if (known !== undefined) return known
  const made = planTree((configuration as WithPlans)[PLANS] ?? NO_PLANS, configuration) // as withPlans made it
  trees.set(configuration, made)
  return made
}

function planTree({ version, rows }: StoredPlans, configuration: Configuration): Plans {
  const byId = new Map(rows.map(row => [row.id, row]))
  const resolved = new Map<string, ResolvedPlan>()

  function wayUp(plan_id: number | null): PlanRow[] {
    const way: PlanRow[] = []
    let row = byId.get(plan_id ?? DEFAULT_PLAN)
    // A circle cannot be stored; it would not hang anybody if it were.
    while (row !== undefined && !way.includes(row)) {
      way.push(row)
      row = byId.get(row.parent_id ?? 0)
    }
    const root = byId.get(DEFAULT_PLAN)
    return root === undefined || way.includes(root) ? way : [...way, root]
  }

  function of(plan_id: number | null, source: Source): ResolvedPlan {
    const id = plan_id !== null && byId.has(plan_id) ? plan_id : DEFAULT_PLAN
    const key = `${id} ${source}`
    const plan = resolved.get(key) ?? resolve(wayUp(id), source, configuration)
    resolved.set(key, plan)
    return plan
  }

  return { version, rows, of, wayUp, common: plan_id => commonOf(wayUp(plan_id)) }
}

export const originOf = ({ id, name }: Pick<PlanRow, 'id' | 'name'>): ValueOrigin => ({
  from: 'plan',
  plan_id: id,
  name,
})

function resolve(way: readonly PlanRow[], source: Source, configuration: Configuration): ResolvedPlan {
  const root = way.at(-1)
  const base = root === undefined ? ({ from: 'own' } as const) : originOf(root)
  const settings = settingValues(configuration, source)
  const values = Object.fromEntries(
    Object.entries(settings).map(([field, value]) => [
      field,
      nearest(way, row => valueOf(row, source, field), { value, origin: base }),
    ]),
  ) as InForce // of the same fields
  const ofSettings = settingLimits(configuration, source).map(limit => withOrigin(limit, base))
  const limits = way.toReversed().reduce<PolicyLimit[]>(
    (far, row) =>
      mergeLimits(
        row.plan_limits.filter(limit => limit.source === source).map(limit => withOrigin(limit, originOf(row))),
        far,
      ),
    ofSettings,
  )
  return { values, limits, older: olderFields(limits) }
}

const valueOf = (row: PlanRow, source: Source, field: string): unknown =>
  Reflect.get(row.plan_values[source] ?? {}, field)

function nearest(way: readonly PlanRow[], read: (row: PlanRow) => unknown, base: Valued<unknown>): Valued<unknown> {
  for (const row of way) {
    const value = read(row)
    if (value !== null && value !== undefined) return { value, origin: originOf(row) }
  }
  return base
}

/** What the settings say of the default plan: of both sources the same, but for what only one has. */
export function settingValues({ new_users, openai_web }: Configuration, source: Source): SourceValues {
  return {
    allow_to_use: new_users.allow_to_use,
    available_models: [EVERY_MODEL],
    daily_available_time_slots: new_users.daily_available_time_slots,
    valid_days: new_users.valid_days ?? UNLIMITED,
    max_conv_count: new_users.max_conv_count,
    disable_uploading: false,
    use_team: source === 'openai_web' && openai_web.enable_team_subscription,
    allow_custom_openai_api: source === 'openai_api' && new_users.allow_custom_openai_api,
  }
}

export const settingLimits = ({ new_users }: Configuration, source: Source) => [
  ...(new_users.total_ask_count === UNLIMITED ? [] : [totalLimit(source, new_users.total_ask_count)]),
  ...Object.entries(new_users.per_model_ask_count)
    .filter(([model]) => sourcesOf(model).includes(source))
    .map(([model, amount]) => modelLimit(source, model, amount)),
  ...strictest(new_users.rate_limits).map(limit => rateLimit(source, limit)),
]

/** A code of neither source was added by an administrator, to openai_api. */
function sourcesOf(model: string): Source[] {
  const known = SOURCES.filter(source => (MODEL_CODES[source] as readonly string[]).includes(model))
  return known.length > 0 ? known : ['openai_api']
}

/** Where no plan has a value: null is as the settings of the portal say. */
const COMMON_BASE: { [field in CommonField]: NonNullable<PlanValues[field]> | null } = {
  max_upload_bytes: null,
  max_file_bytes: null,
  instructions: '',
  share_weight: 1,
  may_borrow: true,
  max_keys: 0,
  retention_days: null,
  deleted_retention_days: null,
}
export const COMMON_FIELDS = Object.keys(COMMON_BASE) as CommonField[] // of the same type

function commonOf(way: readonly PlanRow[]): CommonInForce {
  const root = way.at(-1)
  const base = root === undefined ? ({ from: 'own' } as const) : originOf(root)
  return Object.fromEntries(
    Object.entries(COMMON_BASE).map(([field, value]) => [
      field,
      nearest(way, row => Reflect.get(row.plan_values, field), { value, origin: base }),
    ]),
  ) as CommonInForce // of the same fields
}

/** Whether any plan limits rates, or the number of conversations: who inherits then has to be looked at. */
export const inheritsRateLimits = (configuration: Configuration, source: Source): boolean =>
  anyPlan(configuration, source, ({ older }) => older.rate_limits.length > 0)
export const inheritsBoundedConversations = (configuration: Configuration, source: Source): boolean =>
  anyPlan(configuration, source, ({ values }) => values.max_conv_count.value >= 0)

function anyPlan(configuration: Configuration, source: Source, holds: (plan: ResolvedPlan) => boolean): boolean {
  const plans = plansOf(configuration)
  return plans.rows.some(({ id }) => holds(plans.of(id, source)))
}

/** Limits of the list that are none of the three older forms, and limit something. */
export const listLimits = (limits: readonly PolicyLimit[]): PolicyLimit[] =>
  limits.filter(limit => limit.amount >= 0 && olderForm(limit) === null)
