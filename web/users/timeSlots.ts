import { type TimeSlot, DAY_END } from '#contract/limits.ts'

export const DAY_MINUTES = 1440

/** Minutes since midnight, the end not included. */
type Span = { from: number; to: number }

/** The parts of a day that the slots cover; a slot over midnight is two. */
export function spansOf(slots: readonly TimeSlot[]): Span[] {
  return slots.flatMap(({ start_time, end_time }) => {
    const from = minutesOf(start_time)
    const to = endMinutesOf(end_time)
    return from < to
      ? [{ from, to }]
      : [
          { from, to: DAY_MINUTES },
          { from: 0, to },
        ].filter(span => span.from < span.to)
  })
}

/** No slots mean always, as for the server. */
export function coversWholeDay(slots: readonly TimeSlot[]): boolean {
  if (slots.length === 0) return true
  const spans = spansOf(slots).toSorted((one, other) => one.from - other.from)
  return spans.reduce((covered, { from, to }) => (from <= covered ? Math.max(covered, to) : covered), 0) === DAY_MINUTES
}

export function isInside(slots: readonly TimeSlot[], minute: number): boolean {
  return slots.length === 0 || spansOf(slots).some(({ from, to }) => from <= minute && minute < to)
}

/** The minute of the day in a time zone; slots are in the portal's. */
export function minuteOfDay(now: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string) => Number(parts.find(part => part.type === type)?.value ?? 0)
  return part('hour') * 60 + part('minute')
}

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

export const endMinutesOf = (end_time: string): number => (end_time === DAY_END ? DAY_MINUTES : minutesOf(end_time))
