/** What somebody gave and was given of shares, and what happened to their share of an account. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, Time } from './envelope.ts'
import { LimitUnit, LimitWindow } from './plans.ts'
import { ShareGift } from './shares.ts'

export const listShareGifts = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/shares/gifts',
  summary: 'What one gave of one’s shares and was given, also from what accounts keep: what lasts longest first.',
  result: z.array(ShareGift),
} as const satisfies Call

/**
 * `asked`: an ask, own or borrowed. `given`, `received`: a gift. `granted`: what was asked for of the account.
 * `taken_back`: by the giver. `came_back`: what was unused at the end of a gift. `lent`: what others used of one's
 * share.
 */
export const SHARE_LINE_KINDS = ['asked', 'given', 'received', 'granted', 'taken_back', 'came_back', 'lent'] as const

export const ShareLine = z.object({
  kind: z.enum(SHARE_LINE_KINDS),
  time: Time,
  /** Of an ask. */
  model: z.nullable(z.string()),
  /** Asked when it is quiet: for half of it. */
  is_quiet: z.boolean(),
  is_borrowed: z.boolean(),
  /** The other person, as the account shows names; null: nobody, or not shown. */
  name: z.nullable(z.string()),
  until: z.nullable(Time),
  gift_id: z.nullable(z.int()),
  /** How much it was of. */
  amount: z.number(),
  /** What it did to what is left of one's share. */
  change: z.number(),
  /** What was left after it. */
  left: z.number(),
})
export type ShareLine = z.infer<typeof ShareLine>

export const ShareLedger = z.object({
  upstream_id: z.int(),
  label: z.string(),
  unit: LimitUnit,
  currency: z.string(),
  /** The longest one. */
  window: LimitWindow,
  /** When what is listed began: the window, or its length ago where it rolls. */
  from: Time,
  ends_at: z.nullable(Time),
  share: z.number(),
  left: z.number(),
  /** What comes back, at most, of what one gave. */
  coming: z.array(z.object({ gift: ShareGift, at: Time, amount: z.number() })),
  /** The latest first. */
  lines: z.array(ShareLine),
})
export type ShareLedger = z.infer<typeof ShareLedger>

export const readShareLedger = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/shares/:id/ledger',
  summary:
    'What happened to one’s share of the longest window of an account: asks, gifts, what was lent, what is left.',
  params: z.object({ id: RowId }),
  result: ShareLedger,
} as const satisfies Call

/** Whose part of an account a request for more of it would be granted from, and what the asker used of it. */
export const RequestedPart = z.object({
  /** The longest of the account. */
  window: LimitWindow,
  share: z.number(),
  used: z.number(),
  borrowed: z.number(),
  /** What the account keeps for its owner; null: it would be everybody's. */
  reserve: z.nullable(z.object({ owner: z.string(), is_mine: z.boolean(), amount: z.number(), left: z.number() })),
})
export type RequestedPart = z.infer<typeof RequestedPart>

export const ShareReceiver = z.object({
  user_id: z.int(),
  /** As the account shows names: whole, or its first letter. */
  name: z.string(),
  /** Of their share of the longest window; null: they have not asked lately, and have none until they do. */
  left: z.nullable(z.number()),
})
export type ShareReceiver = z.infer<typeof ShareReceiver>

/** More people than these nobody chooses from. */
export const MAX_RECEIVERS = 2_000

export const listShareReceivers = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/shares/:id/receivers',
  summary: 'To whom one may give of one’s share of an account: who may ask it. Nobody where names are not shown.',
  params: z.object({ id: RowId }),
  result: z.array(ShareReceiver).check(z.maxLength(MAX_RECEIVERS)),
} as const satisfies Call
