import type { Source } from '#contract/models.ts'
import { isMoney, type LimitUnit, MILLIONTHS } from '#contract/plans.ts'
import type { MemberNames, Sharing } from '#contract/shares.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type PoolFacts, type PoolSettings, type PoolWindow, THOUSANDTHS } from '#server/limits/shares/pool.ts'
import { lengthOf, longestWindow } from '#server/limits/shares/giving.ts'
import { poolShares } from '#server/limits/shares/shareRule.ts'
import { spanOf } from '#server/limits/windows.ts'

/** What gifts need to know of an account, or of several that are one pool. */
export type GivingPool = {
  upstream_ids: readonly number[]
  source: Source
  sharing: Sharing
  settings: PoolSettings
  names: MemberNames
  label: string
}

/** The pools that people share, and what is whose at a moment. */
export type PoolReading = {
  poolOf(upstream_id: number): GivingPool | null
  view(
    database: Database,
    upstream_id: number,
    asking: { now: number; caller_id?: number | null },
  ): Promise<{ pool: GivingPool; facts: PoolFacts } | null>
}

/** The upstream whose id stands for the pool. */
export const poolId = ({ upstream_ids }: Pick<GivingPool, 'upstream_ids'>): number => Math.min(...upstream_ids)

/** The longest window at a moment, and whose share of it is how large. */
export type WholeWindow = {
  window: PoolWindow
  capacity: number
  starts: number
  ends: number | null
  /** The end of the next one. */
  latest: number
  of(user_id: number): { share: number; used: number; borrowed: number; left: number } | null
}

/** `caller`: whoever is here now, and so has a share, also after weeks. */
export function wholeWindow(given: PoolFacts, caller: number): WholeWindow | null {
  const facts = withAwake(given, caller)
  const window = longestWindow(facts.settings)
  const shares = window === null ? null : poolShares(facts, window.key)
  if (window === null || shares === null) return null
  const { now, settings, openings } = facts
  const span = (moment: number) =>
    spanOf(window.window, {
      now: moment,
      time_zone: settings.time_zone,
      opened_at: openings.get(window.key) ?? null,
    })
  const length = lengthOf(window.window)
  const ends = shares.ends_at
  const starts = span(now).starts ?? (ends ?? now) - length
  const latest = 'seconds' in window.window || ends === null ? (ends ?? now + length) + length : span(ends).ends
  return {
    window,
    capacity: shares.capacity,
    starts,
    ends,
    latest: latest ?? now + 2 * length,
    of(user_id) {
      const member = shares.members.find(each => each.user_id === user_id)
      if (member === undefined) return null
      const { share, used, borrowed } = member
      return { share, used, borrowed, left: Math.max(0, share - used) }
    },
  }
}

function withAwake(facts: PoolFacts, user_id: number): PoolFacts {
  const member = facts.members.get(user_id)
  if (member === undefined) return facts
  return { ...facts, members: new Map(facts.members).set(user_id, { ...member, asked_at: facts.now }) }
}

/** As shares count: whole asks as thousandths, money as millionths. Null: not so many digits. */
export function countedAmount(unit: LimitUnit, amount: number): number | null {
  if (unit === 'money') return isMoney(amount) ? Math.round(amount * MILLIONTHS) : null
  if (!Number.isInteger(amount)) return null
  return unit === 'asks' ? amount * THOUSANDTHS : amount
}

/** As it is sent. */
export const sentShare = (unit: LimitUnit, amount: number): number =>
  unit === 'asks' ? amount / THOUSANDTHS : unit === 'money' ? amount / MILLIONTHS : amount

/** A pool of which everybody has a share. */
export function requireShares<P extends Pick<GivingPool, 'sharing'>>(pool: P | null): P {
  if (pool === null || pool.sharing !== 'shares') throw new Refusal('shareNotFound')
  return pool
}

/** Somebody's name as the account shows it to others: whole, its first letter, or not at all. */
export const shownName = (names: MemberNames, nickname: string | undefined): string =>
  nickname === undefined || names === 'none' ? '' : names === 'full' ? nickname : ([...nickname][0] ?? '')

export const iso = (time: number): string => new Date(time).toISOString()
