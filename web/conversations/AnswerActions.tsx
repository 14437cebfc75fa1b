import type { ReactNode } from 'react'
import type { Message } from '#contract/messages.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { answerMarkdown } from '#web/messages/citations.ts'
import { RelativeTime } from '#web/messages/RelativeTime.tsx'
import { CopyAction } from './CopyAction.tsx'
import { MoreActions, type Shown } from './MoreActions.tsx'
import styles from './thread.module.css'

type AnswerActionsProps = {
  replies: readonly Message[]
  shown: Shown
  /** What else can be done with it: asking again, other branches. */
  children?: ReactNode
}

/** Under an answer: its buttons, model, time and length. */
export function AnswerActions({ replies, shown, children }: AnswerActionsProps) {
  const modelName = useModelName()
  const model = replies.findLast(reply => reply.model !== null)?.model ?? null
  const last = replies.at(-1)
  return (
    <div className={styles.actions}>
      <CopyAction text={() => answerMarkdown(replies)} />
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

/** Only openai_api reports it. */
function Tokens({ replies }: { replies: readonly Message[] }) {
  const t = useTranslate()
  const usage = replies
    .flatMap(({ metadata }) => (metadata?.source === 'openai_api' && metadata.usage != null ? [metadata.usage] : []))
    .at(-1)
  if (usage === undefined) return null
  const { prompt_tokens, completion_tokens } = usage
  return <span title={t('message.tokensRead', { prompt_tokens })}>{t('message.tokens', { completion_tokens })}</span>
}
