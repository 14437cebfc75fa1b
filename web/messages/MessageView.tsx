import { memo, useContext, useMemo } from 'react'
import { webFileIn } from '#contract/files.ts'
import { attachmentsOf, type ImagePart, isThoughts, type Message, textOf } from '#contract/messages.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import { AnswerText } from './AnswerText.tsx'
import { AttachmentCard } from './AttachmentCard.tsx'
import { Markdown } from './markdown/Markdown.tsx'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import styles from './messages.module.css'
import { Pictures } from './Pictures.tsx'
import { LeftOutNote } from './LeftOutNote.tsx'
import { endingOf, keptWith } from './metadata.ts'
import { PlainFallback, PlainText } from './PlainText.tsx'
import { AnswerGrows, ShownPlain, ConversationId } from './readingContext.ts'
import { SentFiles } from './lazyAttached.ts'
import { Steps } from './Steps.tsx'
import { CopyDetails, useSettingHint } from './failureDetails.tsx'
import { stepFailed, stepKindOf } from './steps.ts'
import { piecesOf } from './turn.ts'

type AnswerViewProps = {
  replies: readonly Message[]
  feedOf: ((message_id: string) => TextFeed | undefined) | undefined
  growing: boolean
}

/** All messages that answer a question: texts, and between them the steps of tools. */
export function AnswerView({ replies, feedOf, growing }: AnswerViewProps) {
  const pieces = useMemo(
    () => piecesOf(replies, id => growing && feedOf?.(id) !== undefined),
    [replies, feedOf, growing],
  )
  const last = replies.at(-1)
  return (
    <AnswerGrows value={growing}>
      {pieces.map((piece, at) => {
        if (piece.kind === 'message')
          return <MessageView key={piece.key} message={piece.message} feed={feedOf?.(piece.message.id)} />
        const isLast = at === pieces.length - 1
        return <Steps key={piece.key} steps={piece.steps} feedOf={feedOf} growing={growing && isLast} />
      })}
      {/* An answer may end inside a step, which shows no mark. Thoughts alone are no answer: the note under the question says why there is none. */}
      {last !== undefined && !isThoughts(last) && pieces.at(-1)?.kind === 'steps' && <EndingMark message={last} />}
    </AnswerGrows>
  )
}

type MessageViewProps = {
  message: Message
  /** The text while it grows, and afterwards until the message is mounted again. */
  feed?: TextFeed
}

/** A question is in a bubble, an answer directly on the page. */
export const MessageView = memo(function MessageView({ message, feed }: MessageViewProps) {
  const t = useTranslate()
  const isQuestion = message.role === 'user'
  return (
    <article
      className={isQuestion ? styles.question : styles.answer}
      aria-label={t(isQuestion ? 'message.question' : 'message.answer')}
      data-testid="message"
      data-role={message.role}
      data-message-id={message.id}
    >
      {!isQuestion && <LeftOutNote message={message} />}
      {isQuestion ? <Question message={message} /> : <AnswerContent message={message} feed={feed} />}
      {!isQuestion && <EndingMark message={message} />}
    </article>
  )
})

const SENT = { onLoadError: () => undefined }

/** The text as it was typed, or as Markdown if the user prefers that, with its pictures and files. */
function Question({ message }: { message: Message }) {
  const { renderUserMessageInMd, codeAutoWrap } = usePreferences()
  const plain = useContext(ShownPlain) ?? !renderUserMessageInMd
  const text = textOf(message)
  const parts = message.content?.content_type === 'multimodal_text' ? message.content.parts : []
  const pictures = parts.filter(part => typeof part !== 'string')
  const shown = new Set(pictures.map(({ asset_pointer }) => webFileIn(asset_pointer)))
  const kept = keptWith(message)
  return (
    <div className={styles.bubble}>
      <Pictures parts={pictures} />
      {kept.length > 0 && <SentFiles {...SENT} of="pictures" attachments={kept} />}
      {plain ? (
        <PlainText text={text} />
      ) : (
        <PlainFallback text={() => text}>
          <Markdown text={text} wrapCode={codeAutoWrap} />
        </PlainFallback>
      )}
      {kept.length > 0 ? (
        <SentFiles {...SENT} of="documents" attachments={kept} />
      ) : (
        attachmentsOf(message)
          .filter(({ id }) => !shown.has(id))
          .map(attachment => <AttachmentCard key={attachment.id} attachment={attachment} />)
      )}
    </div>
  )
}

/** Texts and pictures of an answer. Any other content is a step of a tool. */
function AnswerContent({ message, feed }: { message: Message; feed: TextFeed | undefined }) {
  const { content } = message
  const kind = stepKindOf(message)
  if (kind !== null) {
    const messages = [message]
    const step = { kind, messages, failed: stepFailed({ kind, messages }), recovered: false }
    return <Steps steps={[step]} feedOf={undefined} growing={false} />
  }
  if (content?.content_type === 'multimodal_text') return <Parts message={message} parts={content.parts} />
  const text = content?.content_type === 'text' ? textOf(message) : ''
  return <AnswerText message={message} text={text} feed={feed} />
}

/** Texts and pictures in their order. Consecutive pictures are one group. */
function Parts({ message, parts }: { message: Message; parts: readonly (string | ImagePart)[] }) {
  const groups: (string | ImagePart[])[] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (typeof part === 'string') groups.push(part)
    else if (Array.isArray(last)) last.push(part)
    else groups.push([part])
  }
  return groups.map((group, at) =>
    typeof group === 'string' ? (
      group.trim() !== '' && <AnswerText key={at} message={message} text={group} feed={undefined} />
    ) : (
      <Pictures key={at} parts={group} />
    ),
  )
}

/** Says that an answer is incomplete, and why. */
function EndingMark({ message }: { message: Message }) {
  const t = useTranslate()
  const ending = endingOf(message)
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
