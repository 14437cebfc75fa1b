import { useContext } from 'react'
import type { AskFailure, Ending, Message } from '#contract/messages.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import { ConversationId } from './conversationId.ts'
import { CopyDetails, type FailureDetails } from './CopyDetails.tsx'
import styles from './messages.module.css'
import { useSettingHint } from './useSettingHint.ts'

/** Says that an answer is incomplete, and why. */
export function EndingMark({ message }: { message: Message }) {
  const t = useTranslate()
  const { metadata } = message
  const ending = endingOf(metadata)
  if (ending === null) return null
  switch (ending) {
    case 'length':
      return (
        <div className={styles.endingTag}>
          <Tag>{t('message.cutByLength')}</Tag>
        </div>
      )
    case 'stopped':
      return (
        <div className={styles.endingTag}>
          <Tag>{t('message.stopped')}</Tag>
        </div>
      )
    case 'interrupted':
    case 'failed':
      return (
        <Broken
          title={t(`message.${ending}`)}
          message={message}
          failure={metadata?.source === 'openai_api' ? (metadata.failure ?? null) : null}
        />
      )
  }
}

/** Why it failed; the title already says that it was interrupted. */
function Broken({ title, message, failure }: { title: string; message: Message; failure: AskFailure | null }) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const conversation_id = useContext(ConversationId)
  const setting = useSettingHint(failure)
  return (
    <div className={styles.ending}>
      <Note
        tone="amber"
        title={title}
        actions={failure === null ? undefined : <CopyDetails details={detailsOf(message, failure, conversation_id)} />}
      >
        {failure === null ? undefined : (
          <>
            {failure.tip !== 'errors.interrupted' && <p>{translateMessage(failure.tip, failure.values)}</p>}
            {setting !== null && <p>{setting}</p>}
            <p>{t(failure.charged ? 'ask.charged' : 'ask.notCharged')}</p>
          </>
        )}
      </Note>
    </div>
  )
}

function detailsOf(
  { id, source, model, create_time }: Message,
  failure: AskFailure,
  conversation_id: string | null,
): FailureDetails {
  return { message_id: id, conversation_id, source, model, ...failure, time: create_time }
}

function endingOf(metadata: Message['metadata']): Ending | 'length' | null {
  if (metadata?.source === 'openai_web') {
    const type = metadata.finish_details?.type
    return type === 'max_tokens' ? 'length' : type === 'interrupted' ? 'stopped' : null
  }
  return metadata?.ending ?? (metadata?.finish_reason === 'length' ? 'length' : null)
}
