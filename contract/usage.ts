/** What was used, of which limits, and asking for more. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, storable, Time } from './envelope.ts'
import { ModelCode, Source } from './models.ts'
import { pageOf, paging } from './paging.ts'
import { LimitUnit, LimitWindow, ValueOrigin } from './plans.ts'
import { RequestedPart } from './shareLedger.ts'

/** How much was used. Money is in the portal's currency, with six decimals at most. */
const amounts = {
  /** As far as they are paid: one that was asked when it was quiet is a half. */
  asks: z.number(),
  input_tokens: z.int(),
  /** Of those. */
  cached_tokens: z.int(),
  output_tokens: z.int(),
  /** Both together. */
  tokens: z.int(),
  money: z.number(),
}
const used = {
  ...amounts,
  /** For which answers were waited for, from their turn on. */
  seconds: z.number(),
  /** Whether the tokens of some asks are estimated: the upstream reported none. */
  estimated: z.boolean(),
}
export const Used = z.object(used)
export type Used = z.infer<typeof Used>

/** One limit of a person, whichever form it has, and what is left of it. */
export const LimitUse = z.object({
  source: Source,
  unit: LimitUnit,
  /** With what was granted until a time. */
  amount: z.number(),
  used: z.number(),
  left: z.number(),
  window: LimitWindow,
  /** Null: all models together. */
  models: z.nullable(z.array(z.string())),
  /** When some of what is used comes back; null where nothing is used, or waiting does not help. */
  opens_at: z.nullable(Time),
  origin: ValueOrigin,
})
export type LimitUse = z.infer<typeof LimitUse>

/** What an administrator answered, or the owner of an account. */
const Decision = z.enum(['granted', 'declined'])

/** Of what somebody asks for: amounts as limits have them. */
export const UsageRequest = z.object({
  id: z.int(),
  user_id: z.int(),
  nickname: z.string(),
  source: Source,
  unit: LimitUnit,
  amount: z.number(),
  until: Time,
  reason: z.string(),
  create_time: Time,
  /** The account that it is asked of; null: beyond one's limits. */
  upstream: z.nullable(z.object({ id: z.int(), label: z.string() })),
  /** Of an account, for whoever decides, while it is open. */
  part: z.nullable(RequestedPart),
  /** Null while it is open. */
  decision: z.nullable(Decision),
  granted_amount: z.nullable(z.number()),
  granted_until: z.nullable(Time),
  /** What the administrator says to it. */
  word: z.string(),
  decided_by: z.nullable(z.string()),
  decide_time: z.nullable(Time),
})
export type UsageRequest = z.infer<typeof UsageRequest>

/** `2026-11` */
const Month = z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/))
/** Half open; `to` defaults to now. Or a month of the portal's time zone, as far as it has come. */
const span = { from: z.optional(Time), to: z.optional(Time), month: z.optional(Month) }
const filters = { source: z.optional(Source), model: z.optional(ModelCode) }

const shared = {
  from: Time,
  to: Time,
  /** Of the portal: its days and months are those of `day` and `month`. */
  time_zone: z.string(),
  currency: z.string(),
}

/** `2026-11-29` */
const Day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))

export const MyUsage = z.object({
  ...shared,
  /** The time on the server. */
  now: Time,
  limits: z.array(LimitUse),
  /** Days and models on which something was used, the earliest first. */
  rows: z.array(z.object({ day: Day, source: Source, model: z.string(), ...used })),
  sum: Used,
  /** One's requests that nobody has answered. */
  requests: z.array(UsageRequest),
})
export type MyUsage = z.infer<typeof MyUsage>

export const readMyUsage = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/usage/me',
  summary:
    'What is left of one’s limits and when it comes back; what was used by day and model, from the first of the month unless said otherwise.',
  query: z.object({ ...span, ...filters }),
  result: MyUsage,
} as const satisfies Call

export const exportMyUsage = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/usage/me.csv',
  summary: 'What one used by day and model, as a CSV file for spreadsheets.',
  query: z.object({ ...span, ...filters }),
  resultKind: 'file',
  result: z.null(),
} as const satisfies Call

/** `settled`: an ask that was answered. `granted`: what an administrator gave beyond the limits; nothing was used. */
export const LEDGER_REASONS = ['settled', 'granted', 'taken back', 'set'] as const
export const UsageLine = z.object({
  id: z.int(),
  time: Time,
  /** When the ask began: limits and sums count it in that moment. */
  ask_time: Time,
  source: Source,
  /** Blank where it is of no model. */
  model: z.string(),
  upstream_label: z.string(),
  ask_id: z.nullable(z.string()),
  reason: z.enum(LEDGER_REASONS),
  ...amounts,
  estimated: z.boolean(),
})
export type UsageLine = z.infer<typeof UsageLine>

export const listMyUsageLines = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/usage/me/ledger',
  summary: 'One’s ledger: each answered ask and what was granted, the latest first.',
  query: z.object({ page: paging.page, size: paging.size, ...span, ...filters }),
  result: pageOf(UsageLine),
} as const satisfies Call

export const exportMyUsageLines = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/usage/me/ledger.csv',
  summary: 'One’s ledger, the earliest first, as a CSV file for spreadsheets.',
  query: z.object({ ...span, ...filters }),
  resultKind: 'file',
  result: z.null(),
} as const satisfies Call

const everybody = {
  ...span,
  ...filters,
  /** A user id. */
  person: z.optional(RowId),
  /** The id of a plan: the people who are in it. */
  plan: z.optional(RowId),
  /** By the sums of each person. */
  sort: z.optional(z.enum(['nickname', 'asks', 'tokens', 'money', 'seconds'])),
  order: paging.order,
}

export const UsageTable = z.object({
  ...shared,
  /** By person, source, model and account. The people are sorted; rows of one stand together. */
  rows: z.array(
    z.object({
      /** Null: those who are gone. */
      user_id: z.nullable(z.int()),
      nickname: z.nullable(z.string()),
      source: Source,
      model: z.string(),
      upstream_id: z.int(),
      upstream_label: z.string(),
      ...used,
    }),
  ),
  /** How many people used something, on all pages. */
  total: z.int(),
  /** How many accounts there are. */
  people: z.int(),
  /** Of all pages. */
  models: z.array(z.object({ source: Source, model: z.string(), ...used })),
  sum: Used,
  /** What was used until the same moment of the month before; null where no month is asked for. */
  before: z.nullable(Used),
})
export type UsageTable = z.infer<typeof UsageTable>

export const readUsage = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/usage',
  summary:
    'What everybody used, by person, model and account, a page of people at a time; of this month unless said otherwise.',
  query: z.object({ ...everybody, page: paging.page, size: paging.size }),
  result: UsageTable,
} as const satisfies Call

export const exportUsage = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/usage.csv',
  summary: 'What everybody used, by person, model and account, as a CSV file for spreadsheets.',
  query: z.object(everybody),
  resultKind: 'file',
  result: z.null(),
} as const satisfies Call

export const Statement = z.object({
  ...shared,
  user_id: z.int(),
  username: z.string(),
  nickname: z.string(),
  month: z.string(),
  rows: z.array(
    z.object({ source: Source, model: z.string(), upstream_id: z.int(), upstream_label: z.string(), ...used }),
  ),
  days: z.array(z.object({ day: Day, ...used })),
  sum: Used,
  /** The lines of the ledger added up: the same as `sum`. */
  ledger: z.object({ lines: z.int(), ...amounts }),
})
export type Statement = z.infer<typeof Statement>

export const readStatement = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/usage/statement',
  summary: 'What one person used in a month of the portal, to be printed, with the ledger it equals.',
  query: z.object({ user_id: RowId, month: Month }),
  result: Statement,
} as const satisfies Call

/** Of a limit that is nearly used up (`level` 80) or all (100), and of a request that was answered. */
export const UsageNotice = z.union([
  z.object({ kind: z.literal('limit'), level: z.union([z.literal(80), z.literal(100)]), limit: LimitUse }),
  z.object({ kind: z.literal('request'), request: UsageRequest }),
])
export type UsageNotice = z.infer<typeof UsageNotice>

export const takeUsageNotices = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/usage/me/notices',
  summary:
    'What one has not been shown yet: limits that are nearly or quite used up, once a window, and answered requests.',
  result: z.object({ notices: z.array(UsageNotice), currency: z.string(), open_requests: z.int() }),
} as const satisfies Call

export const MAX_REASON = 500
const Words = z.string().check(storable, z.trim(), z.maxLength(MAX_REASON))
/** As in limits; asks and tokens are whole numbers. */
export const Amount = z.number().check(z.minimum(0.000_001), z.maximum(1_000_000_000))

export const requestUsage = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/usage/request',
  summary:
    'Asks the administrators for more than the limits allow, until a time: the end of the month unless said otherwise. With an account, also its owner: for more than one’s share of its longest window, whose unit it is.',
  body: z
    .object({
      source: z.optional(Source),
      unit: z.optional(LimitUnit),
      upstream_id: z.optional(z.nullable(z.int().check(z.minimum(1)))),
      amount: Amount,
      until: z.optional(z.nullable(Time)),
      reason: z._default(Words, ''),
    })
    .check(
      z.refine(({ source, upstream_id }) => source !== undefined || typeof upstream_id === 'number', {
        path: ['source'],
        error: 'a source or an account is needed',
      }),
      z.refine(({ unit, upstream_id }) => unit !== undefined || typeof upstream_id === 'number', {
        path: ['unit'],
        error: 'a unit is needed',
      }),
    ),
  result: UsageRequest,
} as const satisfies Call

export const listUsageRequests = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/usage/requests',
  summary:
    'Requests for more, open ones first, then the latest: one’s own and those of accounts that one owns; for administrators everybody’s.',
  query: z.object({ open: z.optional(z.enum(['true', 'false'])) }),
  result: z.array(UsageRequest),
} as const satisfies Call

export const decideUsageRequest = {
  ...nothing,
  access: 'user',
  method: 'PATCH',
  path: '/usage/requests/:id',
  summary:
    'Grants what was asked for, or another amount, until a time, or declines it, with a word to the person: administrators, and of an account its owner from what it keeps for them.',
  params: z.object({ id: RowId }),
  body: z.object({
    decision: Decision,
    amount: z.optional(z.nullable(Amount)),
    until: z.optional(z.nullable(Time)),
    word: z._default(Words, ''),
  }),
  result: UsageRequest,
} as const satisfies Call

export const withdrawUsageRequest = {
  ...nothing,
  access: 'user',
  method: 'DELETE',
  path: '/usage/requests/:id',
  summary: 'Withdraws one’s own request while it is open.',
  params: z.object({ id: RowId }),
  result: z.null(),
} as const satisfies Call
