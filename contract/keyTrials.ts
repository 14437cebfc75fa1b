/** The test of a connection: what came of a tool while its person waits for its first request. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, Time } from './envelope.ts'

/** Minutes for which a trial goes on. */
export const TRIAL_MINUTES = 10

const model = z.string()

/** How a request came, and how far it is. */
export const TrialOutcome = z.discriminatedUnion('as', [
  z.object({ as: z.literal('asking'), model }),
  z.object({ as: z.literal('queued'), model, position: z.int(), estimate_seconds: z.nullable(z.number()) }),
  z.object({ as: z.literal('answered'), model, tokens: z.nullable(z.int()), charged: z.boolean() }),
  /** `errors.<key>` with its values; `field`: which one of the request it is about. */
  z.object({
    as: z.literal('refused'),
    key: z.string(),
    values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    field: z.nullable(z.string()),
  }),
  /** The key was cut or mistyped. `ending`: of what came; `missing`: how many characters, negative for too many. */
  z.object({ as: z.literal('mistyped'), ending: z.string(), missing: z.int() }),
  z.object({ as: z.literal('wrongPath'), path: z.string() }),
  /** With GET where POST is meant: a redirect from http to https makes that of it. */
  z.object({ as: z.literal('notPosted') }),
  /** From the address of the page, by no key of its person. */
  z.object({ as: z.literal('withoutKey') }),
  z.object({ as: z.literal('unknownKey') }),
])
export type TrialOutcome = z.infer<typeof TrialOutcome>

export const KeyTrial = z.object({
  time: Time,
  /** By which key it came; null where it came by none of its person. */
  key_id: z.nullable(z.int()),
  /** What the program that asked calls itself. */
  tool: z.nullable(z.string()),
  outcome: TrialOutcome,
})
export type KeyTrial = z.infer<typeof KeyTrial>

const byId = z.object({ id: RowId })

export const beginTrial = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/user/me/keys/:id/trial',
  summary: 'Waits for the first request of a tool by a key, in place of any other wait of the same person.',
  params: byId,
  /** `key`: the whole of it, where the page knows it, so that a mistyped one is told; it is not stored. */
  body: z.object({ key: z.nullable(z.string().check(z.maxLength(100))) }),
  result: z.null(),
} as const satisfies Call

export const readTrial = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/user/me/keys/:id/trial',
  summary: 'What has come last since the wait began; null for nothing.',
  params: byId,
  result: z.nullable(KeyTrial),
} as const satisfies Call
