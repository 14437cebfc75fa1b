import type { Language } from '#contract/preferences.ts'
import { formatDateTime, formatTimeOfDay, useNow } from '#web/foundation/times.ts'
import { useLanguage } from '#web/i18n/useTranslate.ts'

/** A time of the past, short: "13:09" today, "昨天 21:14", "11-17" this year, "2025-11-17" before. Whole under the pointer. */
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

const twoDigits = (number: number) => String(number).padStart(2, '0')

export function shortMoment(time: Date, now: Date, language: Language): string {
  const days = Math.round((startOfDay(now) - startOfDay(time)) / 86_400_000)
  if (days === 0) return formatTimeOfDay(time)
  if (days === 1) {
    const yesterday = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-1, 'day')
    return `${yesterday} ${formatTimeOfDay(time)}`
  }
  const day = `${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`
  return time.getFullYear() === now.getFullYear() ? day : `${time.getFullYear()}-${day}`
}

function startOfDay(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
}
