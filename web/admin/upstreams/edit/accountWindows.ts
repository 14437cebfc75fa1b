import type { Source } from '#contract/models.ts'
import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import { type AccountWindow, MAX_WINDOWS, type Sharing, windowText } from '#contract/shares.ts'
import type { AccountWindowReport } from '#contract/upstreamSharing.ts'
import { DEFAULT_SECONDS } from '#web/admin/plans/values/plans.ts'

type Shared = { windows: readonly AccountWindow[]; sharing: Sharing }

const DAY = 86_400
const CALENDAR = { day: DAY, week: 7 * DAY, month: 30 * DAY, ever: Number.POSITIVE_INFINITY }
const lengthOf = (window: LimitWindow): number => ('seconds' in window ? window.seconds : CALENDAR[window.kind])

export const shortestFirst = (windows: readonly AccountWindow[]): AccountWindow[] =>
  windows.toSorted((a, b) => lengthOf(a.window) - lengthOf(b.window))

/** What is usual: 50 asks in five hours, 600 in a week, and so on. Null: there is room for no further one. */
export function nextWindow(windows: readonly AccountWindow[]): AccountWindow | null {
  if (windows.length >= MAX_WINDOWS) return null
  const usual: AccountWindow[] = [
    { unit: 'asks', amount: 50, window: { kind: 'rolling', seconds: DEFAULT_SECONDS }, models: null },
    { unit: 'asks', amount: 600, window: { kind: 'week' }, models: null },
    { unit: 'asks', amount: 100, window: { kind: 'day' }, models: null },
    { unit: 'asks', amount: 2_000, window: { kind: 'month' }, models: null },
    { unit: 'tokens', amount: 1_000_000, window: { kind: 'month' }, models: null },
  ]
  return usual.find(each => !windows.some(other => windowText(other) === windowText(each))) ?? null
}

/** With the first window shares begin, and without any there are none. */
export function withWindows(windows: readonly AccountWindow[], before: Shared): Shared {
  if (windows.length === 0) return { windows, sharing: 'first_come' }
  return { windows: shortestFirst(windows), sharing: before.windows.length === 0 ? 'shares' : before.sharing }
}

/** Null where that is another one of the list. */
export function changedWindow(
  windows: readonly AccountWindow[],
  at: number,
  change: Partial<AccountWindow>,
): AccountWindow[] | null {
  const changed = windows.map((window, index) => (index === at ? { ...window, ...change } : window))
  return new Set(changed.map(windowText)).size === changed.length ? changed : null
}

export const unitsOf = (source: Source): LimitUnit[] =>
  source === 'openai_web' ? ['asks', 'tokens'] : ['asks', 'money', 'tokens']

/** What the owner has besides their share: whole asks, rounded up. */
export function reserveOf({ unit, amount }: Pick<AccountWindow, 'unit' | 'amount'>, percent: number): number {
  const part = (amount * percent) / 100
  return unit === 'money' ? Math.ceil(part * 100 - 1e-9) / 100 : Math.min(amount, Math.max(0, Math.ceil(part - 1e-9)))
}

type Weighed = { people: number; weight: number }

/** What each of some people has of a window, by their weight, if all of them ask. */
export function shareOf(window: AccountWindow, percent: number, weight: number, all: readonly Weighed[]): number {
  const sum = all.reduce((total, { people, weight: each }) => total + people * each, 0)
  return sum === 0 ? 0 : ((window.amount - reserveOf(window, percent)) * weight) / sum
}

export const reportOf = (
  reports: readonly AccountWindowReport[],
  window: AccountWindow,
): AccountWindowReport | undefined => reports.find(each => windowText(each) === windowText(window))
