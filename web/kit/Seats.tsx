import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './Dot.module.css'

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
