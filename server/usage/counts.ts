import type { Counted } from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'

/**
 * How many asks are allowed (-1: unlimited), and how many were used since that was set. What remains is computed and
 * never stored.
 */
export type CountState = { allowed: number; used: number }

/**
 * How an administrator changes a count. `set`: so much is left from now on, and nothing of it is used. `allow`: so much
 * altogether, and `add`: so much more; with both, what has been used stays used, also what asks take at the same
 * moment.
 */
export type CountChange = { set: number } | { allow: number } | { add: number }

export const UNBOUNDED: CountState = { allowed: UNLIMITED, used: 0 }

/** -1 where it is unlimited. Less than was used may be allowed: then nothing remains. */
export const remainingOf = ({ allowed, used }: CountState): number =>
  allowed === UNLIMITED ? UNLIMITED : Math.max(0, allowed - used)

/**
 * What the ledger's changes of a count sum to: less than nothing where less is allowed than was used, and zero where it
 * is unlimited.
 */
export const balanceOf = ({ allowed, used }: CountState): number => (allowed === UNLIMITED ? 0 : allowed - used)

/** A missing count is unlimited, and nothing can be added to it. */
export function changedCount(before: CountState = UNBOUNDED, change: CountChange): CountState {
  if ('set' in change) return { allowed: change.set, used: 0 }
  if ('allow' in change) return { allowed: change.allow, used: before.used }
  return before.allowed === UNLIMITED ? before : { allowed: before.allowed + change.add, used: before.used }
}

/** A count as people see it. */
export function countedOf(state: CountState): Counted {
  if (state.allowed === UNLIMITED) return { used: 0, allowed: UNLIMITED, remaining: UNLIMITED }
  return { ...state, remaining: remainingOf(state) }
}
