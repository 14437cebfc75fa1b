import type { Language } from '#contract/preferences.ts'
import { formatDate, formatDateTime, formatTimeOfDay, relativeTime } from '#web/foundation/times.ts'

const DAY_MS = 86_400_000

/** "3 分钟前" within a day, after that the date and the time, in the viewer's own zone; `justNow` for the first minute and a clock that is ahead. */
export function agoText(time: Date, now: Date, language: Language, justNow: string): string {
  if (isSettled(time, now)) return `${formatDate(time, language)} ${formatTimeOfDay(time)}`
  return now < time ? justNow : relativeTime(time, now, language) ?? justNow
}

/** The full date and time. */
export function exactText(time: Date, language: Language): string {
  return formatDateTime(time, language)
}

/** Whether the text will not change any more. */
export function isSettled(time: Date, now: Date): boolean {
  return now.getTime() - time.getTime() >= DAY_MS
}
