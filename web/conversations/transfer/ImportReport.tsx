import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import type { ImportOutcome } from '#contract/transfer.ts'
import type { Tally } from './tally.ts'
import styles from './transfer.module.css'

const ROWS = ['new', 'completed', 'present', 'refused'] as const satisfies readonly ImportOutcome[]
/** Refusals that are named one by one. */
const MOST_NAMED = 50

/** What became of the file, in numbers, and why some of it was not taken. */
export function ImportReport({ tally: { counts, refused, parted, left } }: { tally: Tally }) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const number = new Intl.NumberFormat(useLanguage())
  return (
    <div className={styles.report} role="status" data-testid="import-report">
      {parted > 0 && <p>{t('transfer.parted', { count: parted })}</p>}
      {left > 0 && <p>{t('transfer.left', { count: left })}</p>}
      <dl className={styles.counts}>
        {ROWS.filter(row => row === 'new' || counts[row] > 0).map(row => (
          <div key={row} data-outcome={row}>
            <dt>{t(`transfer.outcome.${row}`)}</dt>
            <dd>{number.format(counts[row])}</dd>
          </div>
        ))}
      </dl>
      {refused.length > 0 && (
        <ul className={styles.refused} aria-label={t('transfer.outcome.refused')} tabIndex={0}>
          {refused.slice(0, MOST_NAMED).map(({ title, reason }, at) => (
            <li key={at}>
              <span>{title || t('conversations.untitled')}</span>
              <span>{translateMessage(reason)}</span>
            </li>
          ))}
          {refused.length > MOST_NAMED && (
            <li>{t('transfer.furtherRefused', { count: refused.length - MOST_NAMED })}</li>
          )}
        </ul>
      )}
    </div>
  )
}
