import { type ComponentPropsWithRef, type ReactNode, useState } from 'react'
import { type Message, textOf } from '#contract/messages.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconAlignLeft, IconCheck, IconCode, IconCopy, IconDots } from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { IconMenuButton } from '#web/kit/MenuButton.tsx'
import { toast } from '#web/foundation/toasts.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { useCopied } from '#web/kit/useCopied.ts'
import { answerMarkdown, messagesToReader } from '#web/messages/citations.ts'
import { copiedMessages } from '#web/messages/copiedSelection.ts'
import { apiMetadata } from '#web/messages/metadata.ts'
import { agoText, formatDateTime, useNow } from '#web/foundation/times.ts'
import styles from './thread.module.css'

const RawDialog = lazyComponent(() => import('#web/messages/RawDialog.tsx').then(module => module.RawDialog))

/** Whether the texts of a message are shown as they were written, and the setter. */
type Shown = { plain: boolean; onPlain(plain: boolean): void }

type AnswerActionsProps = {
  replies: readonly Message[]
  shown: Shown
  /** More buttons: asking again, other branches. */
  children?: ReactNode
}

/** The row under an answer: its buttons, model, time and length. */
export function AnswerActions({ replies, shown, children }: AnswerActionsProps) {
  const modelName = useModelName()
  const model = replies.findLast(reply => reply.model !== null)?.model ?? null
  const last = replies.at(-1)
  return (
    <div className={styles.actions}>
      <CopyAction
        text={() => answerMarkdown(replies)}
        html={() => (shown.plain ? '' : copiedMessages(messagesToReader(replies).map(({ id }) => id)))}
      />
      {children}
      <MoreActions messages={replies} shown={shown} />
      <span className={styles.facts}>
        {model !== null && <span>{modelName(model)}</span>}
        {last?.create_time != null && <RelativeTime time={last.create_time} />}
        <Tokens replies={replies} />
      </span>
    </div>
  )
}

/** The number of tokens, which only endpoints report. */
function Tokens({ replies }: { replies: readonly Message[] }) {
  const t = useTranslate()
  const usage = replies.flatMap(message => apiMetadata(message)?.usage ?? []).at(-1)
  if (usage === undefined) return null
  const { prompt_tokens, completion_tokens } = usage
  return <span title={t('message.tokensRead', { prompt_tokens })}>{t('message.tokens', { completion_tokens })}</span>
}

type QuestionActionsProps = {
  question: Message
  shown: Shown
  /** More buttons: changing it, other branches. */
  children?: ReactNode
}

/** The row under a question. */
export function QuestionActions({ question, shown, children }: QuestionActionsProps) {
  return (
    <div className={styles.questionActions}>
      <span className={styles.facts}>
        {question.create_time !== null && <RelativeTime time={question.create_time} />}
      </span>
      <CopyAction text={() => textOf(question)} />
      {children}
      <MoreActions messages={[question]} shown={shown} />
    </div>
  )
}

/** The menu for what is rarely needed: the source text of a message, its data. */
function MoreActions({ messages, shown: { plain, onPlain } }: { messages: readonly Message[]; shown: Shown }) {
  const t = useTranslate()
  const [raw, setRaw] = useState(false)
  const closeRaw = () => setRaw(false)
  return (
    <>
      <IconMenuButton
        label={t('kit.more')}
        className={styles.action}
        entries={[
          {
            label: t(plain ? 'message.asMarkdown' : 'message.asWritten'),
            icon: <IconAlignLeft size={16} aria-hidden />,
            run: () => onPlain(!plain),
          },
          { label: t('message.raw'), icon: <IconCode size={16} aria-hidden />, run: () => setRaw(true) },
        ]}
      >
        <IconDots size={16} stroke={1.6} aria-hidden />
      </IconMenuButton>
      {raw && <RawDialog messages={messages} onClose={closeRaw} onLoadError={closeRaw} />}
    </>
  )
}

/** Copies the text as it was written, and as `html` for documents; shows a check for a moment. */
function CopyAction({ text, html }: { text: () => string; html?: () => string }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  const label = t(copied ? 'message.copied' : 'message.copy')
  return (
    <SmallIconButton
      className={styles.action}
      label={label}
      data-testid="message-copy"
      onClick={() => void copy(text(), html?.())}
    >
      <Icon size={16} stroke={1.6} aria-hidden />
    </SmallIconButton>
  )
}

type ToolButtonProps = Omit<ComponentPropsWithRef<'button'>, 'onClick'> & {
  label: string
  /**
   * Why it cannot be used now; an empty text where the reason is obvious. The button stays in place and shows the
   * reason when it is pressed.
   */
  disabledReason?: string | null
  onClick(button: HTMLElement): void
}

/** A button in the row of a message. */
export function ToolButton({ label, disabledReason = null, onClick, ...rest }: ToolButtonProps) {
  return (
    <SmallIconButton
      className={styles.action}
      label={label}
      data-tip={disabledReason ? undefined : label}
      title={disabledReason ? `${label}: ${disabledReason}` : undefined}
      aria-disabled={disabledReason === null ? undefined : true}
      {...rest}
      onClick={event => {
        if (disabledReason === null) onClick(event.currentTarget)
        else if (disabledReason !== '') toast.refusal(label, disabledReason)
      }}
    />
  )
}

/** How long ago it was; the exact time in a tooltip. */
function RelativeTime({ time }: { time: string }) {
  const t = useTranslate()
  const language = useLanguage()
  const date = new Date(time)
  const text = agoText(date, useNow(), t, language)
  const exact = formatDateTime(date, language)
  return (
    <time className={styles.time} dateTime={time} data-tip={exact} aria-label={`${text}, ${exact}`} tabIndex={0}>
      {text}
    </time>
  )
}
