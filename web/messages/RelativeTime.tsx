import { agoText, formatDateTime, useNow } from '#web/foundation/times.ts'
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
