import { type TimeSlot, DAY_END } from '#contract/limits.ts'

const DAY = 86_400
const HOUR_MS = 3_600_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** Seconds since midnight on the wall clock of a time zone. */
export function secondOfDay(now: number, time_zone: string): number {
  let format = formats.get(time_zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: time_zone,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(time_zone, format)
  }
  return secondsOf(format.format(now))
}

/** Half open, may cross midnight; equal ends are the whole day. */
export function isInside(slot: TimeSlot, second: number): boolean {
  const { start, end } = boundsOf(slot)
  if (start === end) return true
  return start < end ? second >= start && second < end : second >= start || second < end
}

function boundsOf({ start_time, end_time }: TimeSlot) {
  return { start: secondsOf(start_time), end: end_time === DAY_END ? DAY : secondsOf(end_time) }
}

function isWholeDay(slot: TimeSlot): boolean {
  const { start, end } = boundsOf(slot)
  return start === end || end - start === DAY
}

/** No slots at all mean always. The time of a zone is computed only where there are slots: it takes longer than everything else here. */
export function isOpen(slots: readonly TimeSlot[], now: number, time_zone: string): boolean {
  if (slots.length === 0 || slots.some(isWholeDay)) return true
  const second = secondOfDay(now, time_zone)
  return slots.some(slot => isInside(slot, second))
}

/**
 * The first moment after `now` that lies in a slot. Slots open when the wall clock reaches their start, or when the clocks
 * are changed into the middle of one; a start that the change skips or repeats is found too. Null when none opens in two days.
 */
export function nextOpening(slots: readonly TimeSlot[], now: number, time_zone: string): number | null {
  const changes = clockChanges(now, time_zone)
  const candidates = [
    ...changes,
    ...[now, ...changes].flatMap(from => slots.map(slot => nextTime(slot.start_time, from, time_zone))),
  ]
  const openings = candidates.filter(moment => moment > now && isOpen(slots, moment, time_zone))
  return openings.length === 0 ? null : Math.min(...openings)
}

/** When the wall clock next shows a time, as long as it is not changed on the way. */
function nextTime(time: string, from: number, time_zone: string): number {
  const whole = Math.floor(from / 1000) * 1000
  const seconds = (secondsOf(time) - secondOfDay(whole, time_zone) + DAY) % DAY
  return whole + (seconds === 0 && whole < from ? DAY : seconds) * 1000
}

/** The moments of the next two days at which the clocks are changed, to the second. */
function clockChanges(now: number, time_zone: string): number[] {
  const changes: number[] = []
  const start = Math.floor(now / 1000) * 1000
  for (let hour = 0; hour < 50; hour++) {
    let before = start + hour * HOUR_MS
    let after = before + HOUR_MS
    if (elapsed(before, after, time_zone) === HOUR_MS / 1000) continue
    while (after - before > 1000) {
      const middle = before + Math.floor((after - before) / 2000) * 1000
      if (elapsed(before, middle, time_zone) === (middle - before) / 1000) before = middle
      else after = middle
    }
    changes.push(after)
  }
  return changes
}

/** Seconds that the wall clock moves on between two moments of less than a day. */
function elapsed(before: number, after: number, time_zone: string): number {
  return (secondOfDay(after, time_zone) - secondOfDay(before, time_zone) + DAY) % DAY
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}
