import { type ComponentType, memo, type ReactNode, useState } from 'react'
import { isThoughts, type Message } from '#contract/messages.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import type { TextFeed } from '#web/messages/markdown/streaming/textFeed.ts'
import { AnswerView, MessageView } from '#web/messages/MessageView.tsx'
import { ShownPlain } from '#web/messages/readingContext.ts'
import type { Turn } from '#web/messages/turn.ts'
import { AnswerActions, QuestionActions } from './MessageActions.tsx'
import styles from './thread.module.css'

/**
 * Further tools for the messages of a turn. They are components and not elements, so that a turn renders again only
 * when it has changed.
 */
export type TurnTools = {
  /** Buttons in the row under an answer. */
  Answer: ComponentType<{ turn: Turn; last: boolean }>
  /** Buttons in the row under a question. */
  Question: ComponentType<{ turn: Turn; last: boolean }>
  /** Wraps the question with its row, and may replace them. */
  Asked: ComponentType<{ question: Message; children: ReactNode }>
}

/** The growing texts, and whether the last answer still grows. */
export type LiveText = { feedOf: ((message_id: string) => TextFeed | undefined) | undefined; growing: boolean }

type TurnViewProps = {
  turn: Turn
  isLast: boolean
  liveText: LiveText
  tools: TurnTools | undefined
  actions: ReactNode
}

/** A question with its answer. The browser skips the layout of turns that are far away (`content-visibility`). */
export const TurnView = memo(function TurnView({ turn, isLast, liveText, tools, actions }: TurnViewProps) {
  const { question, replies } = turn
  const { feedOf, growing } = liveText
  const [plain, onPlain] = useState(false)
  return (
    <section className={isLast ? styles.lastTurn : styles.turn}>
      {question !== null && <QuestionView turn={turn} question={question} isLast={isLast} tools={tools} />}
      {replies.length > 0 && (
        <ShownPlain value={plain ? true : null}>
          <AnswerView replies={replies} feedOf={feedOf} growing={growing} />
        </ShownPlain>
      )}
      {!growing && replies.some(reply => !isThoughts(reply)) && (
        <AnswerActions replies={replies} shown={{ plain, onPlain }}>
          {tools !== undefined && <tools.Answer turn={turn} last={isLast} />}
          {actions}
        </AnswerActions>
      )}
    </section>
  )
}, isSameTurn)

type QuestionViewProps = Pick<TurnViewProps, 'turn' | 'isLast' | 'tools'> & { question: Message }

function QuestionView({ turn, question, isLast, tools }: QuestionViewProps) {
  const { renderUserMessageInMd } = usePreferences()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const shown = { plain: chosen ?? !renderUserMessageInMd, onPlain: setChosen }
  const content = (
    <>
      <ShownPlain value={chosen}>
        <MessageView message={question} />
      </ShownPlain>
      <QuestionActions question={question} shown={shown}>
        {tools !== undefined && <tools.Question turn={turn} last={isLast} />}
      </QuestionActions>
    </>
  )
  return tools === undefined ? content : <tools.Asked question={question}>{content}</tools.Asked>
}

/** Compares the messages, because each change makes new turns of the same message objects. */
function isSameTurn(a: TurnViewProps, b: TurnViewProps): boolean {
  return (
    a.isLast === b.isLast &&
    a.liveText.growing === b.liveText.growing &&
    a.liveText.feedOf === b.liveText.feedOf &&
    a.tools === b.tools &&
    a.actions === b.actions &&
    a.turn.question === b.turn.question &&
    a.turn.replies.length === b.turn.replies.length &&
    a.turn.replies.every((reply, at) => reply === b.turn.replies[at])
  )
}
