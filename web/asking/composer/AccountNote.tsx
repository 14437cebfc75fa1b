import { useMomentText } from '#web/accounts/moments.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import styles from '../screen.module.css'

type AccountNoteProps = {
  /** Why the copy of the portal is shown: a key under `errors.`. */
  stored_copy: string | undefined
  /** Until when the account is to be left alone. */
  cooling_until: string | undefined
}

/** The state of the conversation's web account. It is no warning, because everything shown can be read. */
export function AccountNote({ stored_copy, cooling_until }: AccountNoteProps) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const momentText = useMomentText()
  return (
    <div className={styles.other} role="status" data-testid="account-note">
      {cooling_until !== undefined && <p>{t('composer.cooling', { time: momentText(cooling_until) })}</p>}
      {stored_copy !== undefined && <p>{t('thread.storedCopy', { reason: translateMessage(stored_copy, null) })}</p>}
    </div>
  )
}
