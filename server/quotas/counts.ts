import type { Counted } from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'

/** What remains of a count, and how much was allowed when it was last set or adjusted; -1 and -1 are unlimited. */
export type CountState = { remaining: number; allowed: number }

/**
 * How an administrator changes a count. `set`: so much is left from now on, and nothing of it is used. `allow`: so much altogether, and `add`:
 * so much more; with both, what has been used stays used, also what asks take at the same moment.
 */
export type CountChange = { set: number } | { allow: number } | { add: number }

export const UNBOUNDED: CountState = { remaining: UNLIMITED, allowed: UNLIMITED }

/** A missing count is unlimited, and nothing can be added to it. What was used before it was bounded is not known. */
export function changedCount(before: CountState = UNBOUNDED, change: CountChange): CountState {
  if ('set' in change) return { remaining: change.set, allowed: change.set }
  if ('add' in change)
    return before.remaining === UNLIMITED ? before : changedCount(before, { allow: before.allowed + change.add })
  if (change.allow === UNLIMITED) return UNBOUNDED
  // Less than was used may be allowed: then nothing remains.
  return { remaining: Math.max(0, change.allow - usedOf(before)), allowed: change.allow }
}

/** Asks taken from a count, less those given back, since it was last set; those of an unlimited one are not counted. */
const usedOf = ({ remaining, allowed }: CountState): number => Math.max(0, allowed - remaining)

/** A count as people see it. */
export function countedOf({ remaining, allowed }: CountState): Counted {
  if (remaining === UNLIMITED) return { used: 0, allowed: UNLIMITED, remaining: UNLIMITED }
  return { used: usedOf({ remaining, allowed }), allowed: Math.max(remaining, allowed), remaining }
}
