import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './Dots.module.css'

/** An answer is running. The only thing in the page that moves by itself. */
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

const MOST = 5

/** Who uses an account, as dots beside the same in words; at most five, then a number. */
export function UsageDots({ dots }: { dots: readonly UsageDot[] }) {
  const t = useTranslate()
  return (
    <span className={styles.dots} aria-hidden="true">
      {dots.slice(0, MOST).map((dot, at) => (
        <span key={at} className={`${styles.dot} ${styles[dot]}`} />
      ))}
      {dots.length > MOST && t('seats.more', { count: dots.length - MOST })}
    </span>
  )
}
