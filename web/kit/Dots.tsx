import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './Dots.module.css'

/** Somebody is being answered. The only thing in the page that moves by itself. */
export function BreathingDot({ size = 8 }: { size?: number }) {
  return (
    <span
      className={`${styles.dot} ${styles.busy} ${styles.breathing}`}
      style={{ width: size, height: size }}
      aria-hidden="true"
    />
  )
}

export type Seat = 'busy' | 'waiting' | 'you' | 'free'

const MOST = 5

/** Who sits at the table, as dots beside the words that say the same; at most five, then a number. */
export function Seats({ seats }: { seats: readonly Seat[] }) {
  const t = useTranslate()
  return (
    <span className={styles.seats} aria-hidden="true">
      {seats.slice(0, MOST).map((seat, at) => (
        <span key={at} className={`${styles.dot} ${styles[seat]}`} />
      ))}
      {seats.length > MOST && t('seats.more', { count: seats.length - MOST })}
    </span>
  )
}
