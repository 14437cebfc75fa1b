import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { storable, Time, Uuid } from './envelope.ts'
import { pageOf, paging } from './paging.ts'

/** Why an administrator opens what is somebody else's: that one asked for it, a fault, a complaint, or else. */
export const OVERSIGHT_REASONS = ['asked', 'fault', 'complaint', 'other'] as const
export const OversightReason = z.enum(OVERSIGHT_REASONS)
export type OversightReason = z.infer<typeof OversightReason>

/**
 * Of what was opened without a reason: by a client that knows of none, or while none is required
 * (`portal.oversight_reason`).
 */
export const WITHOUT_REASON = 'none'
const StoredReason = z.enum([...OVERSIGHT_REASONS, WITHOUT_REASON])
export type StoredReason = z.infer<typeof StoredReason>

/** Characters. */
export const MAX_OVERSIGHT_TEXT = 300
/** Minutes for which a conversation is open once a reason is given. */
export const OVERSIGHT_MINUTES = 30

/** Somebody's conversation, opened by an administrator. */
export const OversightRow = z.object({
  id: z.int(),
  conversation_id: Uuid,
  /** Null when it is gone or has none. */
  title: z.nullable(z.string()),
  owner: z.nullable(z.object({ id: z.int(), name: z.nullable(z.string()) })),
  /** Without a name: an administrator who was erased. */
  viewer: z.object({ id: z.nullable(z.int()), name: z.string() }),
  reason: StoredReason,
  text: z.string(),
  time: Time,
  /** When it was read last; null while it has not been. */
  latest_time: z.nullable(Time),
  /** Until when it may be read. */
  until: Time,
  /** Read in the last two minutes. */
  is_reading: z.boolean(),
})
export type OversightRow = z.infer<typeof OversightRow>

export const openOversight = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/conv/:id/oversight',
  summary: 'Opens somebody else’s conversation for half an hour, with a reason that its owner sees.',
  params: z.object({ id: Uuid }),
  body: z.object({
    reason: OversightReason,
    text: z.string().check(storable, z.trim(), z.minLength(1), z.maxLength(MAX_OVERSIGHT_TEXT)),
  }),
  result: z.object({ until: Time }),
} as const satisfies Call

export const continueOversight = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/conv/:id/oversight/reading',
  summary: 'Somebody else’s conversation, opened before, is still being read.',
  params: z.object({ id: Uuid }),
  result: z.null(),
} as const satisfies Call

export const listOversight = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/oversight',
  summary: 'Who opened whose conversations, the latest first.',
  query: z.object({ page: paging.page, size: paging.size }),
  result: pageOf(OversightRow),
} as const satisfies Call

/** Rows of one's own list at most. */
export const MAX_OWN_OVERSIGHT = 200

export const listOwnOversight = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/user/me/oversight',
  summary: 'Who opened one’s own conversations, the latest first.',
  /** `unnoticed`: those that were not shown yet. Empty where the portal does not show them. */
  result: z.object({ rows: z.array(OversightRow), unnoticed: z.int(), kept_days: z.int() }),
} as const satisfies Call

export const noticeOversight = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/user/me/oversight/noticed',
  summary: 'All that are listed were shown.',
  result: z.null(),
} as const satisfies Call
