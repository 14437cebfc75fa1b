import { memo } from 'react'
import type { Message } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { ContentView } from './ContentView.tsx'
import { EndingMark } from './EndingMark.tsx'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import styles from './messages.module.css'
import { Question } from './Question.tsx'

type MessageViewProps = {
  message: Message
  /** The text while it grows, and afterwards until the message is mounted again. */
  feed?: TextFeed
}

/** A question is in a bubble, an answer directly on the page. */
export const MessageView = memo(function MessageView({ message, feed }: MessageViewProps) {
  const t = useTranslate()
  const asked = message.role === 'user'
  return (
    <article
      className={asked ? styles.question : styles.answer}
      aria-label={t(asked ? 'message.question' : 'message.answer')}
      data-testid="message"
      data-role={message.role}
      data-message-id={message.id}
    >
      {asked ? <Question message={message} /> : <ContentView message={message} feed={feed} />}
      {!asked && <EndingMark message={message} />}
    </article>
  )
})
