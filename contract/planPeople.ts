/** Plans and the people in them: who a change reaches, what one person has, and many who are moved by a list. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, Time } from './envelope.ts'
import { Count, TimeSlot } from './limits.ts'
import { ModelCode } from './models.ts'
import {
  commonInForce,
  CommonValues,
  inForce,
  LimitIdentity,
  LimitInForce,
  PlanChanges,
  sourceInForce,
} from './plans.ts'

const byId = z.object({ id: RowId })

/** A limit of a person that a change of a plan changes; null: none. In the units of the wire. */
const ChangedLimit = z.object({
  limit: LimitIdentity,
  used: z.nullable(z.number()),
  before: z.nullable(z.number()),
  after: z.nullable(z.number()),
})
/** What else changes for somebody: a field of a source as plans have it. */
const CHANGED_VALUES = [
  'allow_to_use',
  'valid_until',
  'daily_available_time_slots',
  'available_models',
  'max_conv_count',
  'disable_uploading',
  'use_team',
  'allow_custom_openai_api',
] as const
/** The same of what is of no source. */
const CHANGED_COMMON = [
  'max_upload_bytes',
  'max_file_bytes',
  'instructions',
  'share_weight',
  'may_borrow',
  'max_keys',
  'retention_days',
  'deleted_retention_days',
] as const
const ChangedValue = z.union([
  z.object({ source: LimitIdentity.shape.source, field: z.enum(CHANGED_VALUES) }),
  z.object({ source: z.null(), field: z.enum(CHANGED_COMMON) }),
])
export type ChangedValue = z.infer<typeof ChangedValue>

const Affected = z.object({
  user_id: z.int(),
  nickname: z.string(),
  limits: z.array(ChangedLimit),
  /** Why they may ask less, or more, besides limits. */
  reasons: z.array(ChangedValue),
})
export type Affected = z.infer<typeof Affected>

export const PlanPreview = z.object({
  /** Who may ask of some source no more, at once. */
  blocked: z.array(Affected),
  /** Who may ask more, and of nothing less at once. */
  gained: z.array(Affected),
  /** For whom something is less or otherwise, and nothing is more: who may ask all the same. */
  changed: z.array(Affected),
  /** Who is in the plan, or below it, and keeps all they have: by their own values, or since a plan below says it. */
  untouched: z.array(z.object({ user_id: z.int(), nickname: z.string(), reason: z.enum(['own', 'plan', 'same']) })),
  /** For how many people anything changes. */
  affected: z.int(),
})
export type PlanPreview = z.infer<typeof PlanPreview>

export const previewPlan = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/plan/:id/preview',
  summary: 'Who would be blocked at once by a change of a plan, who gains, and who is untouched. Stores nothing.',
  params: byId,
  body: PlanChanges,
  result: PlanPreview,
} as const satisfies Call

/** What holds for a person: each value with whose it is. */
export const PersonPolicy = z.object({
  plan: z.object({ plan_id: z.int(), name: z.string() }),
  openai_web: z.object({ ...sourceInForce, valid_until: inForce(z.nullable(Time)) }),
  openai_api: z.object({ ...sourceInForce, valid_until: inForce(z.nullable(Time)) }),
  ...commonInForce,
  limits: z.array(LimitInForce),
})
export type PersonPolicy = z.infer<typeof PersonPolicy>

export const readPolicy = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/user/:id/policy',
  summary: 'What holds for a person, and whose each value is: their own, or that of a plan.',
  params: byId,
  result: PersonPolicy,
} as const satisfies Call

const own = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))
const ofSource = {
  allow_to_use: own(z.boolean()),
  available_models: own(z.array(z.union([z.literal('*'), ModelCode])).check(z.maxLength(200))),
  daily_available_time_slots: own(z.array(TimeSlot).check(z.maxLength(48))),
  /** `never`: for ever. */
  valid_until: own(z.union([z.literal('never'), Time])),
  max_conv_count: own(Count),
  disable_uploading: own(z.boolean()),
  use_team: own(z.boolean()),
  allow_custom_openai_api: own(z.boolean()),
}

/** Null makes a value inherited again; what is not sent stays. */
export const PolicyChanges = z.extend(CommonValues, {
  openai_web: z.optional(z.object(ofSource)),
  openai_api: z.optional(z.object(ofSource)),
  /** Those that are to change. `amount` null: inherited again. `until`: after it inherited again; null: no end. */
  limits: z.optional(
    z
      .array(
        z.extend(LimitIdentity, {
          amount: z.nullable(z.number().check(z.minimum(-1), z.maximum(1_000_000_000_000))),
          until: z.optional(z.nullable(Time)),
        }),
      )
      .check(z.maxLength(100)),
  ),
  /** The values in force that were seen of what is sent; refused when one was changed meanwhile. */
  expected: z.optional(
    z.object({
      openai_web: z.optional(z.record(z.string(), z.unknown())),
      openai_api: z.optional(z.record(z.string(), z.unknown())),
      common: z.optional(z.record(z.string(), z.unknown())),
      limits: z.optional(z.array(z.extend(LimitIdentity, { amount: z.nullable(z.number()) })).check(z.maxLength(100))),
    }),
  ),
})
export type PolicyChanges = z.infer<typeof PolicyChanges>

export const changePolicy = {
  ...nothing,
  access: 'superuser',
  method: 'PUT',
  path: '/user/:id/policy',
  summary: 'Makes values a person’s own, or inherited again (null).',
  params: byId,
  body: PolicyChanges,
  result: PersonPolicy,
} as const satisfies Call

/** Rows of a list at most, and characters of it. */
export const MAX_LISTED = 1_000
const MAX_LIST_TEXT = 400_000

export const LISTED_PROBLEMS = [
  'nameMissing',
  'nameTooLong',
  'emailWrong',
  'emailTwice',
  'emailShared',
  'planUnknown',
  'columnsWrong',
  'failed',
] as const

export const ListedRow = z.object({
  /** The line of the text, from 1. */
  line: z.int(),
  name: z.string(),
  email: z.string(),
  plan: z.string(),
  /** `same`: they are in this plan already. */
  outcome: z.enum(['created', 'moved', 'same', 'refused']),
  problem: z.nullable(z.enum(LISTED_PROBLEMS)),
  user_id: z.nullable(z.int()),
  username: z.nullable(z.string()),
  /** Of somebody new, this once. */
  password: z.nullable(z.string()),
})
export type ListedRow = z.infer<typeof ListedRow>

export const movePeople = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/plan/list',
  summary: 'Puts the people of a list into plans, and makes accounts for those who have none.',
  body: z.object({
    /** Lines of name, e-mail and plan, by comma, semicolon or tab; a first line may have the names of the columns. */
    csv: z.string().check(z.minLength(1), z.maxLength(MAX_LIST_TEXT)),
    dry_run: z._default(z.boolean(), false),
  }),
  result: z.object({
    rows: z.array(ListedRow),
    created: z.int(),
    moved: z.int(),
    same: z.int(),
    refused: z.int(),
  }),
} as const satisfies Call
