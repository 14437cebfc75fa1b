import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
import { Count, RateLimit, TimeSlot } from './limits.ts'
import { ModelCode, Source } from './models.ts'

/** "May I ask, and if not, when?": one function evaluates all rules for this answer, for the refusal of an ask and for the page. */
export const Verdict = z.object({
  may_ask: z.boolean(),
  /** The refusal that binds, `errors.<key>`, with the values of its text. */
  message: z.nullable(z.string()),
  values: z.nullable(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /** When asking becomes possible if nobody does anything: waiting until then always works. null: waiting alone does not help. */
  opens_at: z.nullable(Time),
})
export type Verdict = z.infer<typeof Verdict>

/** `allowed` -1 is unlimited; `used` counts since the number was last set. */
export const Counted = z.object({ used: z.int(), allowed: Count, remaining: Count })
export type Counted = z.infer<typeof Counted>

export const WindowState = z.extend(RateLimit, {
  used: z.int(),
  /** When the oldest ask leaves the window; null for an empty one. */
  frees_at: z.nullable(Time),
})
export type WindowState = z.infer<typeof WindowState>

export const SourceAllowance = z.object({
  source: Source,
  /** For a question in a conversation that exists, with the model that allows most. */
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
  /** The server's clock, so that a countdown is right on a device whose clock is not. */
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
