import type { LimitWindow } from '#contract/plans.ts'
import { momentOfWall, wallTimeOf } from '#server/foundation/clock.ts'

/**
 * The span of a window at a moment, in epoch milliseconds: from its beginning on, before its end. Null: it has none. An
 * ask counts in it by the moment at which it was asked.
 */
export type WindowSpan = { starts: number | null; ends: number | null }

const DAY = 86_400_000
const HOUR = 3_600_000
/** Further than any two clocks are from each other. */
const REACH = 30 * HOUR

/**
 * `opened_at`: when the first ask opened a window that begins with it; null where none is open. A rolling window has no
 * end: what is asked in it leaves it ask by ask.
 */
export function spanOf(
  window: LimitWindow,
  { now, time_zone, opened_at }: { now: number; time_zone: string; opened_at: number | null },
): WindowSpan {
  switch (window.kind) {
    case 'ever':
      return { starts: null, ends: null }
    case 'rolling':
      // What was asked exactly so long ago has left it.
      return { starts: now - window.seconds * 1000 + 1, ends: null }
    case 'from_first': {
      const ends = opened_at === null ? null : opened_at + window.seconds * 1000
      // One that opened later than now did so before the clock was set back.
      return opened_at === null || ends === null || ends <= now || opened_at > now
        ? { starts: null, ends: null }
        : { starts: opened_at, ends }
    }
    case 'day':
    case 'week':
    case 'month':
      return calendarSpan(window.kind, now, time_zone)
  }
}

type CalendarKind = 'day' | 'week' | 'month'

/** The latest span of each kind and zone: a whole day long the answer is the same, and finding it takes long. */
const latest = new Map<string, { starts: number; ends: number }>()

function calendarSpan(kind: CalendarKind, now: number, time_zone: string): WindowSpan {
  const key = `${kind} ${time_zone}`
  const known = latest.get(key)
  if (known !== undefined && now >= known.starts && now < known.ends) return known
  const span = foundSpan(kind, now, time_zone)
  if (latest.size >= MAX_KEPT) latest.clear()
  latest.set(key, span)
  return span
}

/** Days are those of the wall clock in the zone: with 23 or 25 hours where it is changed. */
function foundSpan(kind: CalendarKind, now: number, time_zone: string): { starts: number; ends: number } {
  const today = dateOf(now, time_zone)
  const first = kind === 'day' ? today : kind === 'week' ? mondayOf(today) : firstOfMonth(today, 0)
  const next = kind === 'month' ? firstOfMonth(today, 1) : first + (kind === 'week' ? 7 : 1) * DAY
  return { starts: beginningOf(first, time_zone), ends: beginningOf(next, time_zone) }
}

/** A date as its midnight in UTC. */
const dateOf = (moment: number, time_zone: string): number =>
  Date.parse(`${wallTimeOf(moment, time_zone).slice(0, 10)}T00:00:00Z`)

/** The first of January 1970 was a Thursday. */
const mondayOf = (date: number): number => date - ((((date / DAY + 3) % 7) + 7) % 7) * DAY

function firstOfMonth(date: number, months: number): number {
  const day = new Date(date)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1)
}

const beginnings = new Map<string, number>()
const MAX_KEPT = 500

/** The first moment that has a date: not always midnight, where the clocks are changed then. */
function beginningOf(date: number, time_zone: string): number {
  const key = `${date} ${time_zone}`
  const known = beginnings.get(key)
  if (known !== undefined) return known
  const found = firstMoment(date, time_zone)
  if (beginnings.size >= MAX_KEPT) beginnings.clear()
  beginnings.set(key, found)
  return found
}

function firstMoment(date: number, time_zone: string): number {
  const midnight = momentOfWall(date, time_zone)
  const isBegun = (moment: number) => dateOf(moment, time_zone) >= date
  if (isBegun(midnight) && !isBegun(midnight - 1) && !isBegun(midnight - HOUR)) return midnight
  let [before, after] = [midnight - REACH, midnight + REACH]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (isBegun(middle)) after = middle
    else before = middle
  }
  return after
}
