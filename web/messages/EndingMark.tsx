import { useContext } from 'react'
import type { Ending, Message } from '#contract/messages.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import { CopyDetails, useSettingHint } from './failureDetails.tsx'
import styles from './messages.module.css'
import { ConversationId } from './readingContext.ts'

/** Says that an answer is incomplete, and why. */
export function EndingMark({ message }: { message: Message }) {
  const t = useTranslate()
  const ending = endingOf(message.metadata)
  switch (ending) {
    case null:
      return null
    case 'length':
    case 'stopped':
      return (
        <div className={styles.endingTag} data-not-copied>
          <Tag>{t(ending === 'length' ? 'message.cutByLength' : 'message.stopped')}</Tag>
        </div>
      )
    case 'interrupted':
    case 'failed':
      return <BrokenNote title={t(`message.${ending}`)} message={message} />
  }
}

function BrokenNote({ title, message }: { title: string; message: Message }) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const conversation_id = useContext(ConversationId)
  const { id, source, model, create_time, metadata } = message
  const failure = metadata?.failure ?? null
  const setting = useSettingHint(failure)
  if (failure === null)
    return (
      <div className={styles.ending} data-not-copied>
        <Note tone="amber" title={title} />
      </div>
    )
  const details = { message_id: id, conversation_id, source, model, ...failure, time: create_time }
  return (
    <div className={styles.ending} data-not-copied>
      <Note tone="amber" title={title} actions={<CopyDetails details={details} />}>
        {/* The title says already that it was interrupted. */}
        {failure.tip !== 'errors.interrupted' && <p>{translateMessage(failure.tip, failure.values)}</p>}
        {setting !== null && <p>{setting}</p>}
        <p>{t(failure.charged ? 'ask.charged' : 'ask.notCharged')}</p>
      </Note>
    </div>
  )
}

function endingOf(metadata: Message['metadata']): Ending | 'length' | null {
  if (metadata?.source === 'openai_web') {
    const type = metadata.finish_details?.type
    return metadata.ending ?? (type === 'max_tokens' ? 'length' : type === 'interrupted' ? 'stopped' : null)
  }
  return metadata?.ending ?? (metadata?.finish_reason === 'length' ? 'length' : null)
}
