import { type TimeSlot, DAY_END, slotEndText } from '#contract/limits.ts'
import { DAY_MINUTES, endMinutesOf, minutesOf } from '#web/users/timeSlots.ts'
import { twoDigits } from '#web/foundation/times.ts'

/** The contract's maximum. */
export const MAX_SLOTS = 48
/** Minutes: what the strip snaps to, and the shortest slot that can be drawn. Typed times are exact. */
export const STEP = 15

/** A slot in minutes: its start since midnight, and its length, which may reach past midnight. */
type SlotSpan = { start: number; length: number }

export type SlotPart = 'start' | 'end' | 'whole'

export function spanOf({ start_time, end_time }: TimeSlot): SlotSpan {
  const start = minutesOf(start_time)
  const end = endMinutesOf(end_time)
  // Equal ends are the whole day, as on the server.
  return { start, length: wrap(end - start) || DAY_MINUTES }
}

export function slotOf({ start, length }: SlotSpan): TimeSlot {
  const end = wrap(start + length)
  return { start_time: timeOf(start), end_time: end === 0 ? DAY_END : timeOf(end) }
}

/** The slot after one part of it was dragged by minutes; across midnight it wraps around. */
export function dragged({ start, length }: SlotSpan, part: SlotPart, by: number): SlotSpan {
  if (part === 'whole') return { start: wrap(snap(start + by)), length }
  if (part === 'end') return { start, length: between(snap(start + length + by) - start) }
  const shorter = between(start + length - snap(start + by))
  return { start: wrap(start + length - shorter), length: shorter }
}

/** The slot that is drawn from one minute to another, which may lie beyond midnight. */
export function drawn(from: number, to: number): SlotSpan {
  const [start, end] = [snap(Math.min(from, to)), snap(Math.max(from, to))]
  return { start: wrap(start), length: between(end - start) }
}

/** The pieces of a slot on the strip, in minutes: two when it crosses midnight. */
export function piecesOf({ start, length }: SlotSpan): { from: number; to: number; has: SlotPart[] }[] {
  const end = start + length
  if (end <= DAY_MINUTES) return [{ from: start, to: end, has: ['start', 'end'] }]
  return [
    { from: start, to: DAY_MINUTES, has: ['start'] },
    { from: 0, to: end - DAY_MINUTES, has: ['end'] },
  ]
}

/** Reads "7", "7:30", "07:30", "0730" and "7：30" as minutes; null when it is not a time of day. An end may be 24:00. */
export function typedMinutes(text: string, isEnd: boolean): number | null {
  const [, hours, minutes = '0'] = /^(\d{1,2})(?:[:：.]?(\d{2}))?$/.exec(text.trim()) ?? []
  if (hours === undefined) return null
  const total = Number(hours) * 60 + Number(minutes)
  if (Number(minutes) > 59 || total > DAY_MINUTES || (total === DAY_MINUTES && !isEnd)) return null
  return total
}

/** The slot with a typed start or end; the other end stays. */
export function withTyped(slot: TimeSlot, part: 'start' | 'end', minute: number): TimeSlot {
  if (part === 'start') return { ...slot, start_time: timeOf(minute) }
  return { ...slot, end_time: minute === 0 || minute === DAY_MINUTES ? DAY_END : timeOf(minute) }
}

/** "07:00"; the end of a day is 24:00. */
export function shownTime(slot: TimeSlot, part: 'start' | 'end'): string {
  return part === 'start' ? slot.start_time.slice(0, 5) : slotEndText(slot.end_time)
}

const snap = (minutes: number) => Math.round(minutes / STEP) * STEP
const between = (length: number) => Math.min(DAY_MINUTES, Math.max(STEP, length))
const wrap = (minutes: number) => ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES

function timeOf(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:00`
}
