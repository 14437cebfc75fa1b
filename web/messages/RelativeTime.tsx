import { useMemo, useSyncExternalStore } from 'react'
import type { Language } from '#contract/preferences.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { agoText, exactText, isSettled } from './agoText.ts'
import styles from './messages.module.css'
import { everyHalfMinute } from './minutes.ts'

const never = () => () => undefined

/** How long ago it was; the exact time under the pointer and with the focus. */
export function RelativeTime({ time }: { time: string }) {
  const t = useTranslate()
  const language = useLanguage()
  const justNow = t('message.justNow')
  const { read, settled, exact } = useMemo(() => telling(new Date(time), language, justNow), [time, language, justNow])
  const text = useSyncExternalStore(settled ? never : everyHalfMinute, read)
  return <time className={styles.time} dateTime={time} data-tip={exact} aria-label={`${text}, ${exact}`} tabIndex={0}>{text}</time>
}

/** The text for a time. That of an old one never changes, so it is computed once. */
function telling(time: Date, language: Language, justNow: string) {
  const tell = () => agoText(time, new Date(), language, justNow)
  const settled = isSettled(time, new Date())
  const first = tell()
  return { read: settled ? () => first : tell, settled, exact: exactText(time, language) }
}
