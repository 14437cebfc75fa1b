import type { Language } from '#contract/preferences.ts'
import { shortDay } from '#web/admin/shell/times.ts'
import { daysBetween, formatDateTime, formatTimeOfDay, relativeDay, useNow } from '#web/foundation/times.ts'
import { useLanguage } from '#web/i18n/useTranslate.ts'

/**
 * A time of the past, short: "13:09" today, "昨天 21:14", "11-17" this year, "2025-11-17" before. Whole under the
 * pointer.
 */
export function Moment({ time }: { time: string }) {
  const language = useLanguage()
  const now = useNow()
  const date = new Date(time)
  return (
    <time dateTime={time} data-tip={formatDateTime(date, language)}>
      {shortMoment(date, now, language)}
    </time>
  )
}

export function shortMoment(time: Date, now: Date, language: Language): string {
  const days = daysBetween(time, now)
  if (days === 0) return formatTimeOfDay(time)
  return days === 1 ? `${relativeDay(-1, language)} ${formatTimeOfDay(time)}` : shortDay(time, now)
}
