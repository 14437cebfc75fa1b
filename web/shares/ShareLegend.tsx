import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './shares.module.css'

const PIECES = ['mine', 'left', 'borrowed', 'other', 'kept', 'othersBorrowed', 'free', 'lent', 'mark'] as const

/** What the pieces of the bars stand for. */
export function ShareLegend() {
  const t = useTranslate()
  return (
    <ul className={styles.legend}>
      {PIECES.map(kind => (
        <li key={kind}>
          <i className={styles[kind]} aria-hidden="true" />
          {t(`shares.piece.${kind}`)}
        </li>
      ))}
    </ul>
  )
}
