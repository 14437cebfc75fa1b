import { SOURCES } from '#contract/models.ts'
import {
  DEFAULT_PLAN,
  type LimitInForce,
  MAX_PLAN_NAME,
  type NewPlan,
  type Plan,
  type PlanChanges,
  type PlanLimit,
} from '#contract/plans.ts'
import type { Inherited } from './valueForm.ts'
import { UNLIMITED } from '#contract/limits.ts'
import { identityOf, isLimitField, limitField } from '#web/admin/plans/values/plans.ts'

/**
 * A plan as the fields of a form: `name`, `parent_id`, values such as `max_keys` and `openai_api.max_conv_count` (null:
 * inherited), and the amount of each limit (null: inherited, or none).
 */
export type PlanFields = Readonly<Record<string, unknown>>

const OF_SOURCE = [
  'allow_to_use',
  'available_models',
  'daily_available_time_slots',
  'valid_days',
  'max_conv_count',
  'disable_uploading',
] as const
export const COMMON = [
  'max_upload_bytes',
  'max_file_bytes',
  'instructions',
  'share_weight',
  'may_borrow',
  'max_keys',
  'retention_days',
  'deleted_retention_days',
] as const
const ONLY_IN = { openai_web: 'use_team', openai_api: 'allow_custom_openai_api' } as const

/** The names of all values but limits. */
const VALUES: readonly string[] = [
  ...COMMON,
  ...SOURCES.flatMap(source => [...OF_SOURCE, ONLY_IN[source]].map(field => `${source}.${field}`)),
]

/** Another plan with the same values, below the same one. */
export function copyOf(plan: Plan, name: string): NewPlan {
  const { parent_id, limits, openai_web, openai_api } = plan
  return {
    ...Object.fromEntries(COMMON.map(field => [field, plan[field] ?? null])),
    ...(openai_web !== undefined && { openai_web }),
    ...(openai_api !== undefined && { openai_api }),
    name: name.slice(0, MAX_PLAN_NAME),
    parent_id: parent_id ?? DEFAULT_PLAN,
    limits,
  }
}

export function fieldsOf(plan: Plan): PlanFields {
  const values = VALUES.map(name => [name, valueAt(plan, name)])
  const limits = plan.limits.map(limit => [limitField(limit), limit.amount])
  return { name: plan.name, parent_id: plan.parent_id, ...Object.fromEntries([...values, ...limits]) }
}

function valueAt(of: object, name: string): unknown {
  const [first = '', second] = name.split('.')
  const value: unknown = Reflect.get(of, first)
  if (second === undefined) return value ?? null
  return typeof value === 'object' && value !== null ? (Reflect.get(value, second) ?? null) : null
}

/** Where the plan has none of its own: what the plan above has. */
export function inheritedOf(parent: Plan | undefined, name: string): Inherited | null {
  if (parent === undefined) return null
  if (isLimitField(name)) {
    const limit = parent.in_force.limits.find(each => limitField(each) === name)
    return limit === undefined ? null : { value: limit.amount, origin: limit.origin }
  }
  const value = valueAt(parent.in_force, name)
  // every value in force is one
  return value as Inherited | null
}

/** The fields of all limits that hold or are the plan's own; of one that lifts nothing there is none. */
export function limitFields(stored: PlanFields, parent: Plan | undefined): string[] {
  const inherited = (parent?.in_force.limits ?? []).filter(({ amount }: LimitInForce) => amount !== UNLIMITED)
  return [...new Set([...inherited.map(limitField), ...Object.keys(stored).filter(isLimitField)])]
}

function limitsOf(fields: PlanFields): PlanLimit[] {
  return Object.entries(fields)
    .filter((entry): entry is [string, number] => isLimitField(entry[0]) && typeof entry[1] === 'number')
    .map(([name, amount]) => ({ ...identityOf(name), amount }))
}

/** What is sent: of limits the whole list, of the rest what has changed. `whole`: all fields, changed or not. */
export function changesOf(changed: PlanFields, whole: PlanFields): PlanChanges {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(changed)) {
    const [first = '', second] = name.split('.')
    if (isLimitField(name)) body.limits = limitsOf(whole)
    else if (second === undefined) body[first] = value
    else body[first] = { ...(body[first] as object | undefined), [second]: value } // of the same source
  }
  return body as PlanChanges // the server parses it
}
