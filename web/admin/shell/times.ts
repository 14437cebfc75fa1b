import { twoDigits } from '#web/foundation/times.ts'

/** "2026-12-31", in the viewer's own zone. */
export function calendarDay(time: Date): string {
  return [String(time.getFullYear()).padStart(4, '0'), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join(
    '-',
  )
}

/** "12-31", with the year unless it is this one. */
export function shortDay(time: Date, now: Date): string {
  const day = calendarDay(time)
  return time.getFullYear() === now.getFullYear() ? day.slice(-5) : day
}
