import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconWorld } from '#web/kit/icons.ts'
import type { CitedSource } from './citations.ts'
import styles from './citations.module.css'

/** The sources of an answer in a row, with the numbers they have in the text. */
export function Sources({ sources }: { sources: readonly CitedSource[] }) {
  const t = useTranslate()
  return (
    <ul className={styles.sources} aria-label={t('message.sources')} data-testid="sources">
      {sources.map(({ number, url, title }) => (
        <li key={url}>
          <a
            className={styles.source}
            href={url}
            title={title}
            target="_blank"
            rel="noopener noreferrer"
            referrerPolicy="no-referrer"
          >
            <IconWorld size={16} stroke={1.6} aria-hidden />
            <span dir="auto" className={styles.sourceTitle}>
              {title}
            </span>
            <span className={styles.number}>{number}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
