import { Link } from '@tanstack/react-router'
import type { ConversationHistory } from '#contract/conversations.ts'
import { useMomentText } from '#web/users/moments.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import styles from './dock.module.css'

type AccountNoteProps = { history: Pick<ConversationHistory, 'stored_copy' | 'cooling_until' | 'read_only'> }

/**
 * The state of the conversation's web account. It is no warning, because everything shown can be read. Where nothing
 * more can be asked, it leads to what can be done instead.
 */
export function AccountNote({ history: { stored_copy, cooling_until, read_only } }: AccountNoteProps) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const momentText = useMomentText()
  return (
    <div className={styles.other} role="status" data-testid="account-note">
      {cooling_until !== undefined && <p>{t('composer.cooling', { time: momentText(cooling_until) })}</p>}
      {stored_copy !== undefined && <p>{t('thread.storedCopy', { reason: translateMessage(stored_copy, null) })}</p>}
      {read_only !== undefined && (
        <p>
          {read_only === 'errors.conversationGone' && `${t('thread.comesBack')} `}
          <Link to="/conversation" search={{}}>
            {t('conversations.new')}
          </Link>
        </p>
      )}
    </div>
  )
}
