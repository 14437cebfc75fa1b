import type { Language } from '#contract/preferences.ts'
import { formatDateTime, useNow } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './messages.module.css'

/** How long ago it was; the exact time in a tooltip. */
export function RelativeTime({ time }: { time: string }) {
  const t = useTranslate()
  const language = useLanguage()
  const date = new Date(time)
  const text = agoText(date, useNow(), t, language)
  const exact = formatDateTime(date, language)
  return (
    <time className={styles.time} dateTime={time} data-tip={exact} aria-label={`${text}, ${exact}`} tabIndex={0}>
      {text}
    </time>
  )
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** "3分钟前" within a day, then the date and time in the viewer’s zone. A time in the future is "just now": clocks differ. */
export function agoText(time: Date, now: Date, t: Translate, language: Language): string {
  const passed = now.getTime() - time.getTime()
  if (passed < MINUTE_MS) return t('message.justNow')
  if (passed < HOUR_MS) return t('message.minutesAgo', { count: Math.trunc(passed / MINUTE_MS) })
  if (passed < DAY_MS) return t('message.hoursAgo', { count: Math.trunc(passed / HOUR_MS) })
  return formatDateTime(time, language)
}
