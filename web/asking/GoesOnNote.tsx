import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import styles from './asking.module.css'

/** The session ended while an answer was coming. The ask has not failed, and asking again would ask twice. */
export function GoesOnNote() {
  const t = useTranslate()
  return (
    <div className={styles.note}>
      <Note tone="amber" title={t('errors.loginExpired')}>
        {t('ask.goesOn')}
      </Note>
    </div>
  )
}
