import { Fragment } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './asking.module.css'

/** More seats than this are left out of the drawing; the words have the number. */
const MOST_BEFORE = 3

/** Who is before you, as seats in a row. A drawing beside the words. */
export function Lane({ place }: { place: number }) {
  const t = useTranslate()
  const before = Array.from({ length: Math.min(place - 1, MOST_BEFORE) }, (_, at) => at + 1)
  return (
    <div className={styles.lane} aria-hidden="true">
      <span className={styles.seat}>
        <span className={styles.busySeat} />
        {t('ask.replyingSeat')}
      </span>
      {before.map(at => (
        <Fragment key={at}>
          <span className={styles.stretch} />
          <span className={styles.seat}>
            <span className={styles.waitingSeat} />
            {at}
          </span>
        </Fragment>
      ))}
      <span className={styles.stretch} />
      <span className={`${styles.seat} ${styles.you}`}>
        <span className={styles.yourSeat} />
        {t('ask.you')}
      </span>
    </div>
  )
}
