import type { BulkReason } from '#contract/bulk.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from '../users.module.css'

/** The outcomes of the last change by people's ids; null means changed. */
export type Outcomes = ReadonlyMap<number, BulkReason | null>

export function BulkOutcome({ reason }: { reason: BulkReason | null }) {
  const t = useTranslate()
  return (
    <span className={reason === null ? styles.result : styles.unchanged}>
      {reason === null ? t('users.bulk.changed') : t(`users.bulk.why.${reason}`)}
    </span>
  )
}
