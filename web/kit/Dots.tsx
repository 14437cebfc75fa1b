import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './Dots.module.css'

/** Shows that an answer is being written. Nothing else in the page moves by itself. */
export function BreathingDot({ size = 8 }: { size?: number }) {
  return (
    <span
      className={`${styles.dot} ${styles.busy} ${styles.breathing}`}
      style={{ width: size, height: size }}
      aria-hidden="true"
    />
  )
}

export type UsageDot = 'busy' | 'waiting' | 'you' | 'free'

const MAX_DOTS = 5

/** Who uses an account, as dots beside a text that says the same; at most five dots, then a number. */
export function UsageDots({ dots }: { dots: readonly UsageDot[] }) {
  const t = useTranslate()
  return (
    <span className={styles.dots} aria-hidden="true">
      {dots.slice(0, MAX_DOTS).map((dot, at) => (
        <span key={at} className={`${styles.dot} ${styles[dot]}`} />
      ))}
      {dots.length > MAX_DOTS && t('seats.more', { count: dots.length - MAX_DOTS })}
    </span>
  )
}
