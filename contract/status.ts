import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
import { NamedUser } from './jobs.ts'
import { ModelChoice, Source } from './models.ts'
import { CredentialName } from './settings.ts'

/** The specification, section 3, "Common status". */
export const CommonStatus = z.object({
  active_user_in_5m: z.int(),
  active_user_in_1h: z.int(),
  active_user_in_1d: z.int(),
  is_chatbot_busy: z.boolean(),
  chatbot_waiting_count: z.int(),
  gpt4_count_in_3_hours: z.int(),
})
export type CommonStatus = z.infer<typeof CommonStatus>

export const readCommonStatus = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/status/common',
  summary: 'How busy the portal is.',
  result: CommonStatus,
} as const satisfies Call

/** What the page needs before sign-in; nothing in it is secret. */
export const Portal = z.object({
  name: z.nullable(z.string()),
  version: z.string(),
  time_zone: z.string(),
  /** True while the built-in simulator answers in place of a real upstream. */
  demonstration: z.boolean(),
  sources: z.array(z.object({ source: Source, enabled: z.boolean() })),
  models: z.array(ModelChoice),
  max_text_length: z.int(),
  /** Answers that one person may wait for at once. */
  max_running_asks_per_user: z.int(),
  /** What may go with a question to a source that has its files here. */
  files: z.object({
    max_attachments: z.int(),
    max_file_bytes: z.int(),
    /** Pixels. */
    max_picture_side: z.int(),
  }),
  /** What is deleted is gone at once. Left out where it is kept for some days. */
  deletes_at_once: z.optional(z.literal(true)),
  /** A question to the web service goes with a token of the Arkose endpoint. Left out while that is off. */
  needs_arkose_token: z.optional(z.literal(true)),
})
export type Portal = z.infer<typeof Portal>

export const readPortal = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/status/portal',
  summary: 'Models, sources and bounds of this portal.',
  result: Portal,
} as const satisfies Call

/** The load of a shared account, visible to everybody, so that sharing is fair. */
export const AccountMeter = z.object({
  source: Source,
  /** Tells several accounts of a source apart. */
  upstream_id: z.int(),
  /** The name that an administrator gave it; blank for none. */
  label: z.string(),
  /** Whether an administrator keeps it from being asked for now. */
  paused: z.boolean(),
  /** Until when new asks go to another account where they can; null when it answers as it should. */
  cooling_until: z.nullable(Time),
  /** Models that it does not answer with until then, while it answers with others; the soonest back first. */
  cooling_models: z.array(z.object({ model: z.string(), until: Time })),
  /** Running asks, how many may run at once, and waiting asks. */
  running: z.int(),
  places: z.int(),
  waiting: z.int(),
  /** Recent duration of an answer; null while unknown. */
  seconds_per_answer: z.nullable(z.int()),
  /** How much of the account's own limit is used in the window; `allowed` is null when no limit is known. */
  used: z.int(),
  allowed: z.nullable(z.int()),
  window_seconds: z.int(),
  /** The `upstream_id` that GET /shares has it under; null where it is not shared by shares. */
  pool: z.nullable(z.int()),
  /** When parts of what is used become free, the soonest first. */
  returns: z.array(z.object({ at: Time, count: z.int() })),
  /**
   * Persons whose asks run or wait, in order. Nicknames are sent only where the portal shows them, and always one's
   * own.
   */
  line: z.array(
    z.object({ nickname: z.nullable(z.string()), is_me: z.boolean(), state: z.enum(['asking', 'queueing']) }),
  ),
})
export type AccountMeter = z.infer<typeof AccountMeter>

export const SharedMeter = z.object({ now: Time, accounts: z.array(AccountMeter) })
export type SharedMeter = z.infer<typeof SharedMeter>

export const readSharedMeter = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/status/meter',
  summary: 'How busy the shared accounts are, for everybody.',
  result: SharedMeter,
} as const satisfies Call

/**
 * A stored key that cannot be opened with the present secret key, by whose it is. Nothing is asked until it is entered
 * again.
 */
export const UnreadableKey = z.discriminatedUnion('of', [
  /** One of the settings, of the first account of a source. */
  z.object({ of: z.literal('settings'), name: CredentialName }),
  /** Of a further shared account. */
  z.object({ of: z.literal('account'), id: z.int(), source: Source, label: z.string() }),
  /** For a person's own endpoint. */
  z.extend(NamedUser, { of: z.literal('user') }),
])
export type UnreadableKey = z.infer<typeof UnreadableKey>

export const listUnreadableKeys = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/unreadable-keys',
  summary: 'Every stored key that cannot be opened with the present secret key and has to be entered again.',
  result: z.array(UnreadableKey),
} as const satisfies Call
