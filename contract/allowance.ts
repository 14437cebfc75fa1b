import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
import { Count, MAX_COUNT, RateLimit, TimeSlot } from './limits.ts'
import { ModelCode, Source } from './models.ts'

/**
 * Whether a person may ask, and if not, when. One function evaluates all rules: for this call, for an ask, and so for
 * the page.
 */
export const Verdict = z.object({
  may_ask: z.boolean(),
  /** The first refusal, `errors.<key>`, with the values of its text. */
  message: z.nullable(z.string()),
  values: z.nullable(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /**
   * When asking becomes possible without any change of settings: waiting until then always suffices. null: waiting does
   * not help.
   */
  opens_at: z.nullable(Time),
})
export type Verdict = z.infer<typeof Verdict>

/** Of asks: one that is asked when it is quiet is half an ask. */
const Halves = z.number().check(z.multipleOf(0.5))

/** `allowed` and `remaining` -1 are unlimited; `used` counts since the number was last set. */
export const Counted = z.object({
  used: Halves,
  allowed: Count,
  remaining: Halves.check(z.minimum(-1), z.maximum(MAX_COUNT)),
})
export type Counted = z.infer<typeof Counted>

export const WindowState = z.extend(RateLimit, {
  used: z.int(),
  /** When the oldest ask leaves the window; null for an empty one. */
  frees_at: z.nullable(Time),
})
export type WindowState = z.infer<typeof WindowState>

export const SourceAllowance = z.object({
  source: Source,
  /** For a question in an existing conversation, with the model that allows most. */
  verdict: Verdict,
  new_conversation: Verdict,
  valid_until: z.nullable(Time),
  daily_available_time_slots: z.array(TimeSlot),
  total: Counted,
  conversations: z.object({ used: z.int(), allowed: Count }),
  windows: z.array(WindowState),
  models: z.array(z.object({ model: ModelCode, count: Counted, verdict: Verdict })),
})
export type SourceAllowance = z.infer<typeof SourceAllowance>

export const Allowance = z.object({
  /** The time on the server, so that a countdown is right on a device with a wrong clock. */
  now: Time,
  time_zone: z.string(),
  sources: z.array(SourceAllowance),
})
export type Allowance = z.infer<typeof Allowance>

export const readAllowance = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/user/me/allowance',
  summary: 'Whether one may ask now, what remains, and when it opens.',
  result: Allowance,
} as const satisfies Call
