import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
import { ModelCode, Source } from './models.ts'
import { pageOf, paging } from './paging.ts'

/**
 * The outcome of an ask in the log: one of `Outcome` (contract/asking.ts); `left`: the person left the queue;
 * `refused`: a limit refused the ask, and nothing else was stored of it.
 */
export const LOGGED_OUTCOMES = ['finished', 'stopped', 'interrupted', 'failed', 'left', 'refused'] as const
export const LoggedOutcome = z.enum(LOGGED_OUTCOMES)
export type LoggedOutcome = z.infer<typeof LoggedOutcome>

/** The filters of the log. `from` defaults to 24 hours before `to`, and `to` to now. */
const filters = {
  from: z.optional(Time),
  to: z.optional(Time),
  /** A user id. */
  person: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
  source: z.optional(Source),
  model: z.optional(ModelCode),
  outcome: z.optional(LoggedOutcome),
  /** Words in the title of the conversation, or the beginning of its id. */
  words: paging.words,
}

/** Times in seconds with three decimals. A count of tokens is null where nobody knows one. */
export const LoggedAsk = z.object({
  id: z.int(),
  /** When it ended. */
  time: Time,
  user_id: z.nullable(z.int()),
  /** Null when the person is gone. */
  nickname: z.nullable(z.string()),
  conversation_id: z.nullable(z.string()),
  /** Null when the conversation is gone or has none. */
  title: z.nullable(z.string()),
  source: Source,
  model: z.string(),
  upstream_id: z.nullable(z.int()),
  /** The name that an administrator gave the upstream; blank for none. */
  upstream_label: z.string(),
  queueing_time: z.number(),
  ask_time: z.number(),
  prompt_tokens: z.nullable(z.int()),
  completion_tokens: z.nullable(z.int()),
  /** Of the prompt. */
  cached_tokens: z.nullable(z.int()),
  /** In the portal's currency; null where the model had no price. */
  cost: z.nullable(z.number()),
  /** The upstream reported none: they are estimated from the text. */
  tokens_estimated: z.boolean(),
  /** How many asks its person paid: half of one that was asked when it was quiet, none of one without an answer. */
  charged: z.number(),
  outcome: LoggedOutcome,
  /** The key of the refusal that ended it, as in contract/refusals.ts; null for none. */
  failure: z.nullable(z.string()),
})
export type LoggedAsk = z.infer<typeof LoggedAsk>

export const AskListQuery = z.object({
  ...paging,
  ...filters,
  /** By time, newest first, unless said otherwise. */
  sort: z.optional(z.enum(['time', 'queueing_time', 'ask_time', 'tokens'])),
})

export const listLoggedAsks = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/asks',
  summary: 'Asks that ended or were refused, a page at a time.',
  query: AskListQuery,
  result: pageOf(LoggedAsk),
} as const satisfies Call

/** Seconds on average are null where nothing was queued or answered. */
export const AskTotals = z.object({
  from: Time,
  to: Time,
  asks: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Whether some of the tokens are estimated. */
  tokens_estimated: z.boolean(),
  mean_queueing_time: z.nullable(z.number()),
  mean_ask_time: z.nullable(z.number()),
  outcomes: z.record(LoggedOutcome, z.int()),
  /** The 20 people with the most asks, in descending order; `others` sums up the rest. */
  people: z.array(z.object({ user_id: z.nullable(z.int()), nickname: z.nullable(z.string()), asks: z.int() })),
  others: z.object({ people: z.int(), asks: z.int() }),
  /** The models asked in the range, regardless of the other filters: the choices of that filter. */
  models: z.array(z.object({ source: Source, model: z.string(), asks: z.int() })),
})
export type AskTotals = z.infer<typeof AskTotals>

export const readAskTotals = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/asks/totals',
  summary: 'Totals of the asks that a filter leaves, and the share of each person.',
  query: z.object(filters),
  result: AskTotals,
} as const satisfies Call

export const exportAsks = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/asks.csv',
  summary: 'All asks that a filter leaves, oldest first, as a CSV file for spreadsheets.',
  query: z.object(filters),
  resultKind: 'file',
  result: z.null(),
} as const satisfies Call
