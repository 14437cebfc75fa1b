import type { Message } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './messages.module.css'

/** Earlier messages that the model was not sent with the question; 0 where it knows all of them. */
export const leftOutOf = ({ metadata }: Pick<Message, 'metadata'>): number =>
  metadata?.source === 'openai_api' ? (metadata.left_out_messages ?? 0) : 0

/** Says above an answer how much of the conversation it does not know. */
export function LeftOutNote({ message }: { message: Message }) {
  const t = useTranslate()
  const count = leftOutOf(message)
  if (count === 0) return null
  return (
    <div className={styles.leftOutTag} data-not-copied data-testid="left-out">
      <Tag>{t('message.leftOut', { count })}</Tag>
    </div>
  )
}
