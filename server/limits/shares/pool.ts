import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import type { Keep } from '#contract/shares.ts'

/**
 * What the rule of shares looks at. Amounts are whole numbers: thousandths of an ask, tokens, millionths of money.
 * Times are epoch milliseconds.
 */
export const THOUSANDTHS = 1000

export type PoolWindow = {
  /** The same for as long as it is the same window: `windowText` of contract/shares.ts. */
  key: string
  unit: LimitUnit
  amount: number
  window: LimitWindow
  models: readonly string[] | null
  /** What the account said of it last; missing: nothing. */
  reported?: WindowReport | null
}

/** `used` at the moment `at`, by everybody, also by those who ask it elsewhere. */
export type WindowReport = { used: number | null; ends_at: number | null; at: number }

/**
 * What a person usually uses of each window, by its key: from the beginning of a week on until each of its half hours.
 */
export type Usual = { profiles: ReadonlyMap<string, Float64Array> }

/** What somebody used of a window: as it was charged to them, and what others used of theirs. */
export type MemberUse = { charged: number; borrowed: number; lent: number }

export type WindowUse = {
  /** As the account counts it. */
  cost: number
  /** By person; 0: what was borrowed of nobody's share. */
  members: ReadonlyMap<number, MemberUse>
}

/** The settled lines of a pool, as far back as its windows look. Sums are kept as lines come and leave. */
export type PoolState = {
  add(line: PoolLine): void
  /** What was asked from `from` on and before `to`. Holds until the next call: it is changed, not copied. */
  useWithin(window_key: string, from: number, to: number): WindowUse
  /** The cost alone, whatever the moments. */
  costWithin(window_key: string, from: number, to: number): number
  /** When lines were asked that lie after a moment: there are some where the clock was set back. */
  timesAfter(window_key: string, moment: number): number[]
  /** When people asked last. */
  last_asked: ReadonlyMap<number, number>
}

/** Who may ask the pool. */
export type Member = {
  user_id: number
  weight: number
  may_borrow: boolean
  /** When they asked here last; null: never. After two weeks they are asleep, and have no share. */
  asked_at: number | null
  /** Null: no history. */
  usual: Usual | null
}

export type PoolSettings = {
  windows: readonly PoolWindow[]
  keep: Keep
  reserve_percent: number
  owner_id: number | null
  time_zone: string
}

export type Need = Record<LimitUnit, number>

/** What an ask used, or may use at most while it runs. */
export type PoolLine = Need & {
  user_id: number
  asked_time: number
  model: string
  /** Thousandths of what the pool counts that the person pays. */
  charged: number
  /** The window in which it was borrowed; null: it was within the person's share. */
  borrowed_key: string | null
  /** Of whose share; null or 0: nobody's. */
  lender_id: number | null
}

/** Somebody came within their share and the pool was empty. `need` null: all that is left of their share. */
export type Claim = { time: number; need: Need | null }

/** Of the share of one person to another, in one window. What has been used of it stays given after `until`. */
export type Gift = {
  id: number
  from: number
  to: number
  window_key: string
  amount: number
  until: number
  used: number
}

export type PoolFacts = {
  settings: PoolSettings
  state: PoolState
  /** All who may ask the pool now; whoever asks is among them. */
  members: ReadonlyMap<number, Member>
  /** Asks that run or wait, with what they reserved. */
  running: readonly PoolLine[]
  claims: ReadonlyMap<number, Claim>
  gifts: readonly Gift[]
  /** When the first ask opened a window that begins with it, by the key of the window. */
  openings: ReadonlyMap<string, number>
  now: number
}
