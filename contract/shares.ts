/** Shared accounts of which everybody has a part: whose part is how large, and who uses what of it. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, Time } from './envelope.ts'
import { ModelCode, Source } from './models.ts'
import { isMoney, LimitUnit, LimitWindow } from './plans.ts'

/** `first_come`: whoever asks first has it. `shares`: each has a part, and borrows what others leave. */
export const Sharing = z.enum(['first_come', 'shares'])
export type Sharing = z.infer<typeof Sharing>

/**
 * What is kept of the part of somebody who does not ask now: what they usually use until the end of the window, all
 * that is left of it, or nothing.
 */
export const Keep = z.enum(['usual', 'share', 'nothing'])
export type Keep = z.infer<typeof Keep>

/** How members see each other. */
export const MemberNames = z.enum(['full', 'initials', 'none'])
export type MemberNames = z.infer<typeof MemberNames>

/** More windows of one account than four are no help to anybody. */
export const MAX_WINDOWS = 4

const MAX_AMOUNTS: Record<LimitUnit, number> = {
  asks: 1_000_000_000,
  tokens: 1_000_000_000_000,
  money: 1_000_000_000,
}

const isAmount = ({ unit, amount }: { unit: LimitUnit; amount: number }): boolean =>
  amount <= MAX_AMOUNTS[unit] && (unit === 'money' ? isMoney(amount) : Number.isInteger(amount))

/** `amount` in asks, tokens, or the portal's currency. */
export const AccountWindow = z
  .object({
    unit: LimitUnit,
    amount: z.number().check(z.minimum(0)),
    window: LimitWindow.check(z.refine(({ kind }) => kind !== 'ever', 'a window of an account ends')),
    /** Null: all models together. */
    models: z._default(z.nullable(z.array(ModelCode).check(z.minLength(1), z.maxLength(200))), null),
  })
  .check(z.refine(isAmount, { path: ['amount'], error: 'invalid amount' }))
export type AccountWindow = z.infer<typeof AccountWindow>

type Identity = Omit<AccountWindow, 'amount'>

/** What makes two windows the same one. */
export const windowText = ({ unit, window, models }: Identity): string =>
  [
    unit,
    window.kind,
    'seconds' in window ? window.seconds : '',
    models === null ? '*' : [...new Set(models)].toSorted().join(' '),
  ].join(' ')

/** No two of the same unit, window and models. */
export const AccountWindows = z.array(AccountWindow).check(
  z.maxLength(MAX_WINDOWS),
  z.refine(windows => new Set(windows.map(windowText)).size === windows.length, 'the same window twice'),
)

/** Amounts of shares in the unit of their window; asks may be halves. */
const Amount = z.number()

/** Somebody who may ask an account, and what of a window is theirs. */
export const SharePerson = z.object({
  /** As the account shows names: their name, its first letter, or null. */
  name: z.nullable(z.string()),
  /** Null where names are not shown in full. */
  user_id: z.nullable(z.int()),
  is_me: z.boolean(),
  is_owner: z.boolean(),
  /** Of the window, by their weight. */
  share: Amount,
  /** Own and borrowed. */
  used: Amount,
  /** Of what they used: more than their share. */
  borrowed: Amount,
  /** Of their share: what others used. */
  lent: Amount,
  /** Of what is left of their share: what nobody may borrow now. */
  kept: Amount,
})
export type SharePerson = z.infer<typeof SharePerson>

export const MyShare = z.object({
  share: Amount,
  /** Own and borrowed, as it is charged: half of a quiet ask. */
  used: Amount,
  borrowed: Amount,
  /** What could be borrowed now. */
  may_borrow: Amount,
  /** When the next of one's own comes; null while some is left, and where none comes. */
  next_own_at: z.nullable(Time),
  /** How much comes then. */
  next_own: z.nullable(Amount),
  /** Given by others, and to others, of this window. */
  received: Amount,
  given: Amount,
})
export type MyShare = z.infer<typeof MyShare>

export const ShareWindow = z.object({
  unit: LimitUnit,
  window: LimitWindow,
  models: z.nullable(z.array(z.string())),
  capacity: Amount,
  /** By everybody, as the account counts it. */
  used: Amount,
  /** Null: it rolls, or nobody has opened it. */
  ends_at: z.nullable(Time),
  /** Whether the account itself said what it has; else an administrator has. */
  reported: z.boolean(),
  /** Null for whoever may not ask it. */
  mine: z.nullable(MyShare),
  /** Oneself first, then by use; empty where sharing is first come. */
  people: z.array(SharePerson),
})
export type ShareWindow = z.infer<typeof ShareWindow>

/** An account, or several that are one pool. */
export const Share = z.object({
  upstream_id: z.int(),
  /** Of all accounts of the pool; the first of them is `upstream_id`. */
  upstream_ids: z.array(z.int()),
  source: Source,
  label: z.string(),
  sharing: Sharing,
  names: MemberNames,
  /** Of money. */
  currency: z.string(),
  /** Whether oneself is its owner. */
  is_owner: z.boolean(),
  /** The shortest first. */
  windows: z.array(ShareWindow),
})
export type Share = z.infer<typeof Share>

export const readShares = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/shares',
  summary: 'The accounts with windows that one may ask: what is one’s own, borrowed, others’, kept and free.',
  result: z.array(Share),
} as const satisfies Call

/**
 * So much of one's share of the longest window to somebody, until a moment. Taken back while it is unused. What was
 * granted of an account is one as well.
 */
export const ShareGift = z.object({
  id: z.int(),
  upstream_id: z.int(),
  /** Of the account; blank where it has no windows any more. */
  label: z.string(),
  unit: LimitUnit,
  amount: Amount,
  /** What of it has been used. */
  used: Amount,
  /** Null: of what is everybody's, by an administrator. Names are as the account shows them. */
  from: z.nullable(z.object({ id: z.int(), name: z.string() })),
  to: z.object({ id: z.int(), name: z.string() }),
  /** Granted from what the account keeps for its owner. */
  of_reserve: z.boolean(),
  time: Time,
  until: Time,
  taken_back_at: z.nullable(Time),
})
export type ShareGift = z.infer<typeof ShareGift>

const Id = z.int().check(z.minimum(1))

export const giveShare = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/shares/gift',
  summary: 'Gives somebody a part of one’s share of the longest window until a moment.',
  body: z.object({
    upstream_id: Id,
    user_id: Id,
    /** Asks and tokens are whole. */
    amount: z.number().check(z.minimum(0.000_001), z.maximum(1_000_000_000_000)),
    /** The end of the next window at the latest. */
    until: Time,
  }),
  result: ShareGift,
} as const satisfies Call

export const takeBackShare = {
  ...nothing,
  access: 'user',
  method: 'DELETE',
  path: '/shares/gift/:id',
  summary: 'Takes back what is unused of a gift.',
  params: z.object({ id: RowId }),
  result: ShareGift,
} as const satisfies Call
