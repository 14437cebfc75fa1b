import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
import { Count } from './limits.ts'
import { ModelCode, Source } from './models.ts'
import { UserFilter } from './userAdministration.ts'

/** Maximum number of people chosen by id. More are chosen by a filter. */
export const MAX_CHOSEN = 1_000
/** Up to this many people are changed within the call; more by a job. */
export const MAX_AT_ONCE = 200
/** Rows that an answer holds at most. */
export const MAX_ROWS = 200

/**
 * Exactly one of both. `found`: how many matched when the administrator decided; refused when another number matches
 * now.
 */
export const Selection = z.union([
  z.object({
    ids: z
      .array(z.int().check(z.minimum(1), z.maximum(999_999_999_999_999)))
      .check(z.minLength(1), z.maxLength(MAX_CHOSEN)),
  }),
  z.object({ filter: UserFilter, found: z.optional(z.int().check(z.minimum(0), z.maximum(10_000_000))) }),
])

export type Selection = z.infer<typeof Selection>

const sources = z.array(Source).check(z.minLength(1), z.maxLength(2))
/**
 * `total`: asks of the source. `model`: asks of one model, which is named then. `conversations`: how many a person may
 * have.
 */
const counted = { sources, count: z.enum(['total', 'model', 'conversations']), model: z.optional(ModelCode) }

const Change = z.discriminatedUnion('action', [
  /** From the present end, or from now if that has passed. Without an end nothing changes. */
  z.object({ action: z.literal('extend'), sources, days: z.int().check(z.minimum(1), z.maximum(3660)) }),
  /** null: for ever. */
  z.object({ action: z.literal('validUntil'), sources, until: z.nullable(Time) }),
  /** Sets what remains, with nothing of it used; -1 is unlimited. */
  z.object({ action: z.literal('set'), ...counted, value: Count }),
  /** Adds to what is allowed; what has been used stays used. An unlimited count stays unlimited. */
  z.object({ action: z.literal('add'), ...counted, value: z.int().check(z.minimum(1), z.maximum(1_000_000)) }),
  /** Puts them into a plan; values of their own stay. */
  z.object({ action: z.literal('plan'), plan_id: z.int().check(z.minimum(1), z.maximum(999_999_999_999_999)) }),
  z.object({ action: z.literal('activate') }),
  z.object({ action: z.literal('deactivate') }),
])
const namesItsModel = (change: z.infer<typeof Change>): boolean =>
  !('count' in change) || (change.count === 'model') === (change.model !== undefined)
export const BulkChange = Change.check(z.refine(namesItsModel, 'a model for the count of one model'))
export type BulkChange = z.infer<typeof BulkChange>

const BULK_REASONS = ['already', 'unlimited', 'yourself', 'lastSuperuser', 'tooMany', 'gone', 'failed'] as const
/**
 * Why somebody is not changed, in the order of BULK_REASONS: it is so already; the count is unlimited; one cannot lock
 * oneself out; nobody else could administer the portal; the count or the time would be too large; the account is gone;
 * another failure, which is in the log.
 */
export const BulkReason = z.enum(BULK_REASONS)
export type BulkReason = z.infer<typeof BulkReason>

export const BulkRow = z.object({
  id: z.int(),
  username: z.string(),
  nickname: z.string(),
  /** null: changed, or in a dry run: will be. */
  reason: z.nullable(BulkReason),
})
export type BulkRow = z.infer<typeof BulkRow>

export const BulkResult = z.object({
  /** People who were chosen or found. */
  total: z.int(),
  changed: z.int(),
  /** How many were not changed, for each reason. */
  unchanged: z.partialRecord(BulkReason, z.int()),
  /** At most MAX_ROWS, those that were not changed first. */
  rows: z.array(BulkRow),
})
export type BulkResult = z.infer<typeof BulkResult>

/** The job by which many people are changed. */
export const USER_JOB = 'users'

export const changeUsers = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/users/bulk',
  summary: 'Changes many accounts, each as a whole, or says what would be changed.',
  body: z.object({ selection: Selection, change: BulkChange, dry_run: z._default(z.boolean(), false) }),
  /** `job`: the key of the job that goes on with it; then `changed` and `rows` are what will be. */
  result: z.extend(BulkResult, { job: z.nullable(z.string()) }),
} as const satisfies Call
