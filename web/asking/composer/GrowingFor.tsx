import { clockText } from '#web/accounts/countdown.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './composer.module.css'
import { useSecondsSince } from '#web/foundation/times.ts'

/** Beside the stop button: for how long the answer has grown. */
export function GrowingFor({ since }: { since: number }) {
  const t = useTranslate()
  const seconds = useSecondsSince(since)
  return (
    <span
      className={styles.growing}
      role="timer"
      aria-live="off"
      aria-label={t('composer.growingFor', { growing_seconds: seconds })}
      data-testid="growing-for"
    >
      {clockText(seconds * 1000)}
    </span>
  )
}
