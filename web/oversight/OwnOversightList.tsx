import type { OversightRow } from '#contract/oversight.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { initialOf } from '#contract/initial.ts'
import styles from './oversight.module.css'
import { minutesOf, useOwnOversight } from './ownOversight.ts'

/** In the profile: who read one's conversations. Nothing where nobody has. */
export function OwnOversightList() {
  const t = useTranslate()
  const own = useOwnOversight()
  if (own === undefined || own.rows.length === 0) return null
  return (
    <details open className={styles.own} data-testid="own-oversight">
      <summary>
        <h3>{t('oversight.title')}</h3>
        <span>{t('oversight.kept', { count: own.kept_days })}</span>
      </summary>
      <ul>
        {own.rows.map(row => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
    </details>
  )
}

function Row({ row }: { row: OversightRow }) {
  const t = useTranslate()
  const language = useLanguage()
  const name = row.viewer.name || t('oversight.gone')
  const time = formatDateTime(new Date(row.time), language)
  const minutes = minutesOf(row)
  const reason = t(`oversight.reason.${row.reason}`)
  return (
    <li>
      <span className={styles.avatar} aria-hidden>
        {initialOf(name)}
      </span>
      <b className={styles.cut}>{row.title ?? t('oversight.untitled')}</b>
      <span className={styles.when}>{minutes === null ? time : t('oversight.minutes', { time, count: minutes })}</span>
      <small>
        {row.text === ''
          ? t('oversight.becauseNone', { name, reason })
          : t('oversight.because', { name, reason, text: row.text })}
      </small>
    </li>
  )
}
