import { useTranslate } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import type { RowState } from './rowState.ts'
import styles from './sidebar.module.css'

export function RowMark({ state }: { state: RowState }) {
  const t = useTranslate()
  switch (state.kind) {
    case 'replying':
      return (
        <span className={styles.mark}>
          <BreathingDot size={8} />
          {t('conversations.replying')}
        </span>
      )
    case 'queueing':
      return (
        <span className={`${styles.mark} ${styles.amber}`}>
          <span className={styles.seat} aria-hidden="true" />
          {t('conversations.place', { place: state.place })}
        </span>
      )
    case 'answered':
      return <span className={`${styles.mark} ${styles.green}`}>{t('conversations.answered')}</span>
    case 'interrupted':
      return <span className={`${styles.mark} ${styles.amber}`}>{t('conversations.interrupted')}</span>
    case 'failed':
      return <span className={`${styles.mark} ${styles.red}`}>{t('conversations.failed')}</span>
  }
}
