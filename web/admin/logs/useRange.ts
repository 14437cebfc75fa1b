import { useState } from 'react'
import { type Range, useLogAddress } from './useLogAddress.ts'

const HOUR = 3_600_000
const LENGTHS: Record<Range, number> = { '24h': 24 * HOUR, '7d': 7 * 24 * HOUR, '30d': 30 * 24 * HOUR }
const USUAL: Range = '7d'

export type RangeChoice = {
  chosen: Range | 'own'
  choose(range: Range): void
  /** Two dates of this device's calendar, `2026-11-20`; both are whole days of the range. */
  dates: { first: string; last: string }
  chooseDates(first: string, last: string): void
}

/** The range of time in the address: `from` and `to`, or so long until now. `given`: what of it the address does not say itself. */
export function useRange() {
  const address = useLogAddress()
  const own = address.query
  // Now is when the page was opened: a range that moves would make every look another question.
  const [now] = useState(() => Date.now())
  const isOwn = own.from !== undefined || own.to !== undefined
  const range = own.range ?? USUAL
  const from = own.from ?? new Date((own.to === undefined ? now : Date.parse(own.to)) - LENGTHS[range]).toISOString()
  const choice: RangeChoice = {
    chosen: isOwn ? 'own' : range,
    choose: next => address.change({ range: next === USUAL ? undefined : next, from: undefined, to: undefined }),
    dates: {
      first: dateText(new Date(from)),
      last: dateText(new Date(own.to === undefined ? now : Date.parse(own.to) - 1)),
    },
    chooseDates: (first, last) =>
      address.change({ range: undefined, from: startOf(first, 0).toISOString(), to: startOf(last, 1).toISOString() }),
  }
  return { choice, given: { from } }
}

/** The beginning of a day of this device's calendar, or of one after it. */
function startOf(date: string, later: number): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day + later)
}

function dateText(time: Date): string {
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(part => String(part).padStart(2, '0')).join('-')
}
