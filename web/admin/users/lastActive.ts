import type { Language } from '#contract/preferences.ts'
import { daysBetween, formatDate, formatTimeOfDay, relativeDay } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Context = { now: Date; t: Translate; language: Language }

/** "刚刚", "4 分钟前", "2 小时前" on the same day, "昨天 21:14", then the day, with the year unless it is this one. */
export function lastActiveText(time: string | null, { now, t, language }: Context): string {
  if (time === null) return t('users.never')
  const date = new Date(time)
  const passed = now.getTime() - date.getTime()
  if (passed < MINUTE) return t('message.justNow')
  if (passed < HOUR) return t('message.minutesAgo', { count: Math.trunc(passed / MINUTE) })
  const days = daysBetween(date, now)
  if (days === 0) return t('message.hoursAgo', { count: Math.trunc(passed / HOUR) })
  if (days === 1) return `${relativeDay(-1, language)} ${formatTimeOfDay(date)}`
  return dayText(date, now, language)
}

/** "11月2日", with the year where it is another one. */
function dayText(date: Date, now: Date, language: Language): string {
  if (date.getFullYear() !== now.getFullYear()) return formatDate(date, language)
  return new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }).format(date)
}
