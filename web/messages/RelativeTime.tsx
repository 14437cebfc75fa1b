import { useMemo, useSyncExternalStore } from 'react'
import type { Language } from '#contract/preferences.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { agoText, isSettled } from './agoText.ts'
import styles from './messages.module.css'
import { everyHalfMinute } from './minutes.ts'

const never = () => () => undefined

/** How long ago it was; the exact time under the pointer and with the focus. */
export function RelativeTime({ time }: { time: string }) {
  const t = useTranslate()
  const language = useLanguage()
  const { read, settled, exact } = useMemo(() => telling(new Date(time), t, language), [time, t, language])
  const text = useSyncExternalStore(settled ? never : everyHalfMinute, read)
  return (
    <time className={styles.time} dateTime={time} data-tip={exact} aria-label={`${text}, ${exact}`} tabIndex={0}>
      {text}
    </time>
  )
}

/** The text for a time. That of an old one never changes, so it is computed once. */
function telling(time: Date, t: Translate, language: Language) {
  const tell = () => agoText(time, new Date(), t, language)
  const settled = isSettled(time, new Date())
  const first = tell()
  return { read: settled ? () => first : tell, settled, exact: formatDateTime(time, language) }
}
