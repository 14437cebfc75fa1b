import type { LimitWindow } from '#contract/plans.ts'
import type { ReservedShare } from '#server/asks/ask.ts'
import { spanOf } from '../windows.ts'
import type { Need, PoolFacts, PoolSettings, PoolWindow } from './pool.ts'
import { chargedOf, countsIn } from './poolState.ts'
import { poolShares, type ShareAsk, type ShareVerdict } from './shareRule.ts'

const DAY = 86_400_000

/** Milliseconds: of a month at most. */
export function lengthOf(window: LimitWindow): number {
  if ('seconds' in window) return window.seconds * 1000
  return window.kind === 'month' ? 31 * DAY : window.kind === 'week' ? 7 * DAY : DAY
}

/** What is given of a share is of this window: of all models, where one is. */
export function longestWindow({ windows }: Pick<PoolSettings, 'windows'>): PoolWindow | null {
  const ofAll = windows.filter(({ models }) => models === null)
  const candidates = ofAll.length > 0 ? ofAll : windows
  const [first = null] = candidates.toSorted((a, b) => lengthOf(b.window) - lengthOf(a.window))
  return first
}

/** When the longest window began, at the earliest: one that begins with an ask may have begun later. */
export function givenSince(settings: PoolSettings, now: number): number {
  const longest = longestWindow(settings)
  if (longest === null) return now
  const { window } = longest
  const { starts } = spanOf(window, { now, time_zone: settings.time_zone, opened_at: null })
  return starts ?? now - lengthOf(window)
}

/**
 * What an ask that may be asked takes of the gifts of its caller: what it reserves beyond their own share, before
 * anything is borrowed, from the gift that ends first. Null: nothing. `reserved`: what it may use at most.
 */
export function takenOfGifts(
  facts: PoolFacts,
  ask: ShareAsk,
  verdict: ShareVerdict,
  reserved: Need,
): ReservedShare['gifts'] | null {
  if (facts.gifts.length === 0 || !verdict.may) return null
  const living = facts.gifts
    .filter(({ to, until, amount, used }) => to === ask.user_id && until > facts.now && amount > used)
    .toSorted((a, b) => a.until - b.until)
  const longest = longestWindow(facts.settings)
  if (living.length === 0 || longest === null || !countsIn(longest, ask.model)) return null
  if (verdict.borrowed && verdict.window_key === longest.key) return null
  const mine = poolShares(facts, longest.key)?.members.find(({ user_id }) => user_id === ask.user_id)
  if (mine === undefined) return null
  const unused = living.reduce((sum, { amount, used }) => sum + amount - used, 0)
  const own = Math.max(0, mine.share - unused - mine.used)
  const need = Math.max(ask.need[longest.unit], reserved[longest.unit])
  // What goes beyond the gifts as well would be borrowed: of what is not used it is given back first.
  const ofShare = Math.min(chargedOf(need, ask.charged), own + unused)
  let beyond = Math.max(0, ofShare - own)
  const taken: { gift_id: number; amount: number }[] = []
  for (const { id, amount, used } of living) {
    const part = Math.min(beyond, amount - used)
    if (part > 0) taken.push({ gift_id: id, amount: part })
    beyond -= part
  }
  return taken.length === 0 ? null : { unit: longest.unit, reserved: ofShare, taken }
}
