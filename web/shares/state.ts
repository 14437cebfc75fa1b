import type { Share, ShareWindow } from '#contract/shares.ts'
import { ownLeft } from './bar.ts'

/** What the tag beside the name says. The bar itself never changes its colours. */
export type ShareState = 'normal' | 'borrowing' | 'waiting' | 'full'

/** What the next ask needs at least; of tokens and money anything is enough. */
const atLeast = ({ unit }: ShareWindow): number => (unit === 'asks' ? 1 : Number.MIN_VALUE)

/** Whether one's own is used up. */
export const isOwnUsedUp = (window: ShareWindow): boolean => ownLeft(window.mine) < atLeast(window)

/** Whether nothing can be asked: nothing is left of one's own, and there is nothing to borrow. */
export const isBlocked = (window: ShareWindow): boolean =>
  isEmpty(window) || (window.mine !== null && isOwnUsedUp(window) && window.mine.may_borrow < atLeast(window))

/** Whether the account itself has nothing left. */
export const isEmpty = (window: ShareWindow): boolean => window.capacity - window.used < atLeast(window)

/** The state of an account: that of its worst window. */
export function shareState({ windows }: Pick<Share, 'windows'>): ShareState {
  if (windows.some(isEmpty)) return 'full'
  if (windows.some(isBlocked)) return 'waiting'
  return windows.some(window => window.mine !== null && isOwnUsedUp(window)) ? 'borrowing' : 'normal'
}

/** When the next of one's own comes in every window that refuses. */
export function waitsUntil({ windows }: Pick<Share, 'windows'>): string | null {
  const times = windows.filter(isBlocked).map(({ mine, ends_at }) => mine?.next_own_at ?? ends_at)
  return times.includes(null) ? null : (times.toSorted((a, b) => (b ?? '').localeCompare(a ?? ''))[0] ?? null)
}

/** The window that speaks for the account: the one that leaves the least. */
export function tightestWindow({ windows }: Pick<Share, 'windows'>): ShareWindow | undefined {
  return windows.toSorted(byTightness)[0]
}

function byTightness(a: ShareWindow, b: ShareWindow): number {
  const [blockedA, blockedB] = [isBlocked(a), isBlocked(b)]
  if (blockedA !== blockedB) return blockedA ? -1 : 1
  if (blockedA) return (b.mine?.next_own_at ?? '~').localeCompare(a.mine?.next_own_at ?? '~')
  // Amounts of one unit can be compared, others only as parts of what there is.
  const [sizeA, sizeB] = a.unit === b.unit ? [1, 1] : [a.capacity, b.capacity]
  return mayUse(a) / sizeA - mayUse(b) / sizeB
}

const mayUse = (window: ShareWindow): number =>
  window.mine === null ? window.capacity - window.used : ownLeft(window.mine) + window.mine.may_borrow
