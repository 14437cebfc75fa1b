/** Plans: what people may, inherited from plan to plan and from a plan to the people in it. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, storable, Time } from './envelope.ts'
import { MAX_INSTRUCTIONS } from './instructions.ts'
import { Count, MAX_COUNT, TimeSlot } from './limits.ts'
import { ModelCode, Source } from './models.ts'

/** The plan of everybody who is in no other one. It inherits from nobody, and is neither removed nor moved. */
export const DEFAULT_PLAN = 1

export const LimitUnit = z.enum(['asks', 'tokens', 'money'])
export type LimitUnit = z.infer<typeof LimitUnit>

/** Seconds: at most a leap year. */
const MAX_SECONDS = 31_622_400
const seconds = z.int().check(z.minimum(1), z.maximum(MAX_SECONDS))

/**
 * `rolling`: any span of so many seconds. `from_first`: so many seconds from the first ask on. `day`, `week` (from
 * Monday on) and `month` are those of the portal's time zone.
 */
export const LimitWindow = z.union([
  z.strictObject({ kind: z.enum(['rolling', 'from_first']), seconds }),
  z.strictObject({ kind: z.enum(['day', 'week', 'month', 'ever']) }),
])
export type LimitWindow = z.infer<typeof LimitWindow>

/** Millionths of the portal's currency: how money is stored and computed. */
export const MILLIONTHS = 1_000_000
/** Money on the wire: a number of the portal's currency with at most six decimals. */
export const isMoney = (amount: number): boolean => Number(amount.toFixed(6)) === amount

/** Of a limit, by its unit. Asks within a rolling time are as the specification has them. */
const MAX_AMOUNTS: Record<LimitUnit, number> = { asks: MAX_COUNT, tokens: 1_000_000_000_000, money: 1_000_000_000 }
const MAX_ROLLING_ASKS = 1_000_000

/** What makes two limits the same one: a list has each once, and the nearest on the way up is in force. */
const identity = {
  source: Source,
  unit: LimitUnit,
  window: LimitWindow,
  /** Null: all models together. */
  models: z._default(z.nullable(z.array(ModelCode).check(z.minLength(1), z.maxLength(200))), null),
}

/** A limit without its amount. */
export const LimitIdentity = z.object(identity)

const amount = z.number().check(z.minimum(-1))

type Amount = { unit: LimitUnit; source: Source; amount: number; window: LimitWindow; models: string[] | null }

/** A web account tells no tokens that are paid for. */
const hasUnit = ({ source, unit }: Amount): boolean => !(source === 'openai_web' && unit === 'money')
const isAmount = ({ unit, amount: given, window, models }: Amount): boolean => {
  if (given < 0) return given === -1
  if (unit === 'money' ? !isMoney(given) : !Number.isInteger(given)) return false
  const isRate = unit === 'asks' && window.kind === 'rolling' && models === null
  return given <= (isRate ? MAX_ROLLING_ASKS : MAX_AMOUNTS[unit])
}

/** `amount` in asks, tokens, or the portal's currency; -1: unlimited, whatever is inherited. */
export const PlanLimit = z
  .object({ ...identity, amount })
  .check(z.refine(hasUnit, { path: ['unit'], error: 'not counted there' }))
  .check(z.refine(isAmount, { path: ['amount'], error: 'invalid amount' }))
export type PlanLimit = z.infer<typeof PlanLimit>

export const limitText = ({ source, unit, window, models }: Omit<PlanLimit, 'amount'>): string =>
  [
    source,
    unit,
    window.kind,
    'seconds' in window ? window.seconds : '',
    models === null ? '*' : [...new Set(models)].toSorted().join(' '),
  ].join(' ')

/** No two of the same source, unit, window and models. */
export const hasEachOnce = z.refine<readonly PlanLimit[]>(
  limits => new Set(limits.map(limitText)).size === limits.length,
  'the same limit twice',
)

/** More than the settings say of new people, all of which the default plan shows as limits of its list. */
export const MAX_LIMITS = 500

export const PlanLimits = z.array(PlanLimit).check(z.maxLength(MAX_LIMITS), hasEachOnce)

const inherited = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

const ofSource = {
  allow_to_use: inherited(z.boolean()),
  /** `['*']`: every enabled one, also those that are enabled later. */
  available_models: inherited(z.array(z.union([z.literal('*'), ModelCode])).check(z.maxLength(200))),
  daily_available_time_slots: inherited(z.array(TimeSlot).check(z.maxLength(48))),
  /** From the beginning of an account on; -1: for ever. */
  valid_days: inherited(
    z.int().check(
      z.minimum(-1),
      z.maximum(36_500),
      z.refine(days => days !== 0),
    ),
  ),
  max_conv_count: inherited(Count),
  disable_uploading: inherited(z.boolean()),
}
export const WebPlanValues = z.object({ ...ofSource, use_team: inherited(z.boolean()) })
export const ApiPlanValues = z.object({ ...ofSource, allow_custom_openai_api: inherited(z.boolean()) })

const bytes = (most: number) => z.int().check(z.minimum(0), z.maximum(most))
/** -1: for ever. */
const days = z.int().check(z.minimum(-1), z.maximum(36_500))

/** What is not of one source. */
const commonValues = {
  /** Of all files of a person together. */
  max_upload_bytes: inherited(bytes(1_000_000_000_000_000)),
  /** Of one file. */
  max_file_bytes: inherited(bytes(536_870_912)),
  /** Sent between those of the portal and a person's own. Blank: none, whatever is inherited. */
  instructions: inherited(z.string().check(storable, z.trim(), z.maxLength(MAX_INSTRUCTIONS))),
  /** Of what is shared, against others who ask at the same time. */
  share_weight: inherited(z.int().check(z.minimum(0), z.maximum(1_000))),
  may_borrow: inherited(z.boolean()),
  /** Keys for other programs; 0: none. */
  max_keys: inherited(z.int().check(z.minimum(0), z.maximum(1_000))),
  /** After how many days without a message conversations go. */
  retention_days: inherited(days),
  /** For how many days deleted things can be brought back. */
  deleted_retention_days: inherited(z.int().check(z.minimum(0), z.maximum(3_650))),
}
export const CommonValues = z.object(commonValues)

/** Each a value; null or missing is inherited. */
export const PlanValues = z.object({
  openai_web: z.optional(WebPlanValues),
  openai_api: z.optional(ApiPlanValues),
  ...commonValues,
})
export type PlanValues = z.infer<typeof PlanValues>

const PlanId = z.int().check(z.minimum(1), z.maximum(999_999_999_999_999))
/** Characters. */
export const MAX_PLAN_NAME = 64
const PlanName = z.string().check(storable, z.trim(), z.minLength(1), z.maxLength(MAX_PLAN_NAME))

/** Whose value it is: the person's own, or that of the nearest plan on the way up which has one. */
export const ValueOrigin = z.union([
  /** `until`: after it the value is inherited again. */
  z.object({ from: z.literal('own'), until: z.optional(Time) }),
  z.object({ from: z.literal('plan'), plan_id: z.int(), name: z.string() }),
])
export type ValueOrigin = z.infer<typeof ValueOrigin>

export const inForce = <S extends z.ZodMiniType>(value: S) => z.object({ value, origin: ValueOrigin })
export const sourceInForce = {
  allow_to_use: inForce(z.boolean()),
  available_models: inForce(z.array(z.string())),
  daily_available_time_slots: inForce(z.array(TimeSlot)),
  max_conv_count: inForce(z.int()),
  disable_uploading: inForce(z.boolean()),
  use_team: inForce(z.boolean()),
  allow_custom_openai_api: inForce(z.boolean()),
}
export const commonInForce = {
  /** Null: as the settings of the portal say. */
  max_upload_bytes: inForce(z.nullable(z.int())),
  max_file_bytes: inForce(z.nullable(z.int())),
  instructions: inForce(z.string()),
  share_weight: inForce(z.int()),
  may_borrow: inForce(z.boolean()),
  max_keys: inForce(z.int()),
  retention_days: inForce(z.nullable(z.int())),
  deleted_retention_days: inForce(z.nullable(z.int())),
}
/** `until`: after it the limit is inherited again. */
export const LimitInForce = z.object({ ...identity, amount: z.number(), origin: ValueOrigin, until: z.nullable(Time) })
export type LimitInForce = z.infer<typeof LimitInForce>

/** What holds for somebody in a plan who has no values of their own. */
const PlanInForce = z.object({
  openai_web: z.object({ ...sourceInForce, valid_days: inForce(z.nullable(z.int())) }),
  openai_api: z.object({ ...sourceInForce, valid_days: inForce(z.nullable(z.int())) }),
  ...commonInForce,
  limits: z.array(LimitInForce),
})
export type PlanInForce = z.infer<typeof PlanInForce>

export const Plan = z.extend(PlanValues, {
  id: z.int(),
  name: z.string(),
  /** Null for the default plan alone. */
  parent_id: z.nullable(z.int()),
  limits: z.array(z.object({ ...identity, amount: z.number() })),
  /** People who are in this plan itself. */
  people: z.int(),
  in_force: PlanInForce,
  create_time: Time,
  update_time: Time,
})
export type Plan = z.infer<typeof Plan>

export const listPlans = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/plan',
  summary: 'The plans, the default one first, with what holds in each.',
  result: z.array(Plan),
} as const satisfies Call

export const NewPlan = z.extend(PlanValues, {
  name: PlanName,
  /** Default: the default plan. */
  parent_id: z._default(PlanId, DEFAULT_PLAN),
  limits: z._default(PlanLimits, []),
})
export type NewPlan = z.infer<typeof NewPlan>

export const createPlan = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/plan',
  summary: 'Makes a plan below another one.',
  body: NewPlan,
  result: Plan,
} as const satisfies Call

const changeable = z.extend(z.partial(PlanValues), {
  name: z.optional(PlanName),
  parent_id: z.optional(z.nullable(PlanId)),
  /** The whole list. */
  limits: z.optional(PlanLimits),
})

export const PlanChanges = z.extend(changeable, {
  /** Who keeps until then what the change would block at once. Then they inherit it, too. */
  spare: z.optional(
    z
      .array(z.object({ user_id: z.int().check(z.minimum(1), z.maximum(999_999_999_999_999)), until: Time }))
      .check(z.maxLength(1_000)),
  ),
  /** The values that were seen of the fields that are sent; refused when one was changed meanwhile. */
  expected: z.optional(changeable),
})
export type PlanChanges = z.infer<typeof PlanChanges>

const byId = z.object({ id: RowId })

export const changePlan = {
  ...nothing,
  access: 'superuser',
  method: 'PATCH',
  path: '/plan/:id',
  summary: 'Changes what is sent; it holds at once for all who inherit it. Null: inherited.',
  params: byId,
  body: PlanChanges,
  result: Plan,
} as const satisfies Call

export const deletePlan = {
  ...nothing,
  access: 'superuser',
  method: 'DELETE',
  path: '/plan/:id',
  summary: 'Removes a plan; `move_to`: where its people, the plans below it and its invitations go.',
  params: byId,
  query: z.object({ move_to: z.optional(z.coerce.number().check(z.int(), z.minimum(1))) }),
  result: z.null(),
} as const satisfies Call

export const movePerson = {
  ...nothing,
  access: 'superuser',
  method: 'PUT',
  path: '/user/:id/plan',
  summary: 'Puts a person into a plan. Values of their own stay.',
  params: byId,
  body: z.object({ plan_id: PlanId }),
  result: z.object({ plan_id: z.int(), name: z.string() }),
} as const satisfies Call
