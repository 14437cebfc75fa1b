import type { LimitWindow } from '#contract/plans.ts'
import { spanOf } from '../windows.ts'
import type { PoolFacts, PoolWindow } from './pool.ts'

const DAY = 86_400_000
const LENGTHS = { day: DAY, week: 7 * DAY, month: 31 * DAY, ever: 366 * DAY } as const

const lengthOf = (window: LimitWindow): number => ('seconds' in window ? window.seconds * 1000 : LENGTHS[window.kind])

/** In milliseconds; of days and months at most so long. */
export const windowLength = ({ window }: PoolWindow): number => lengthOf(window)

/**
 * What counts in a window at a moment: asked from `from` on, before `to`. `ends`: when it resets; null: it rolls, or
 * nobody has opened it, and then the next ask does.
 */
export type PoolSpan = { from: number; to: number; ends: number | null; is_open: boolean }

/** Of a reset that comes early or late: within a tenth of its length it is still the window that was opened here. */
const SAME_WINDOW = 0.1

export function poolSpan(
  { settings: { time_zone }, openings }: Pick<PoolFacts, 'settings' | 'openings'>,
  window: PoolWindow,
  now: number,
): PoolSpan {
  const length = windowLength(window)
  // Asks further in the future were made before the clock was set back.
  if (window.window.kind === 'rolling') return { from: now - length + 1, to: now + length, ends: null, is_open: true }
  const set = spanOf(window.window, { now, time_zone, opened_at: openings.get(window.key) ?? null })
  const reset = window.reported?.ends_at ?? null
  if (reset !== null && now < reset && reset <= now + 2 * length) {
    const starts = startBefore(reset, window.window)
    const isSame = set.starts !== null && Math.abs(starts - set.starts) <= length * SAME_WINDOW
    return open(isSame && set.starts !== null ? set.starts : starts, reset)
  }
  if (set.starts === null || set.ends === null) return { from: now, to: now, ends: null, is_open: false }
  if (reset === null || reset > now || set.starts >= reset) return open(set.starts, set.ends)
  // What was opened before the account reset is over; a day or a week goes on from the reset.
  return window.window.kind === 'from_first'
    ? { from: now, to: now, ends: null, is_open: false }
    : open(reset, set.ends)
}

const open = (from: number, ends: number): PoolSpan => ({ from, to: ends, ends, is_open: true })

function startBefore(ends: number, window: LimitWindow): number {
  if (window.kind !== 'month') return ends - lengthOf(window)
  const start = new Date(ends)
  start.setUTCMonth(start.getUTCMonth() - 1)
  return start.getTime()
}
