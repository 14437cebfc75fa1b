import type { Language } from '#contract/preferences.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** "3分钟前" within a day, after that the date and the time, in the viewer's own zone; a clock that is ahead says "just now". */
export function agoText(time: Date, now: Date, t: Translate, language: Language): string {
  const passed = now.getTime() - time.getTime()
  if (passed < MINUTE_MS) return t('message.justNow')
  if (passed < HOUR_MS) return t('message.minutesAgo', { count: Math.trunc(passed / MINUTE_MS) })
  if (passed < DAY_MS) return t('message.hoursAgo', { count: Math.trunc(passed / HOUR_MS) })
  return formatDateTime(time, language)
}

/** Whether the text will not change any more. */
export function isSettled(time: Date, now: Date): boolean {
  return now.getTime() - time.getTime() >= DAY_MS
}
