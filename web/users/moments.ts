import { useCallback } from 'react'
import type { Language } from '#contract/preferences.ts'
import { daysBetween, formatTimeOfDay, relativeDay, useNow } from '#web/foundation/times.ts'
import { useLanguage } from '#web/i18n/useTranslate.ts'

/** "14:20" today, "明天 07:00", "11月23日 07:00" later; in the viewer's own zone. */
export function momentText(moment: string, now: Date, language: Language): string {
  const time = new Date(moment)
  const days = daysBetween(now, time)
  if (days === 0) return formatTimeOfDay(time)
  const day =
    days === 1
      ? relativeDay(1, language)
      : new Intl.DateTimeFormat(language, {
          month: 'short',
          day: 'numeric',
          ...(time.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
        }).format(time)
  return `${day} ${formatTimeOfDay(time)}`
}

/** Formats a time of the server for the viewer's language and zone. */
export function useMomentText(): (moment: string) => string {
  const language = useLanguage()
  const now = useNow()
  return useCallback(moment => momentText(moment, now, language), [now, language])
}
