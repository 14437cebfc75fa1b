import { type ComponentType, memo, type ReactNode, useState } from 'react'
import { isThoughts, type Message } from '#contract/messages.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import type { TextFeed } from '#web/messages/markdown/streaming/textFeed.ts'
import { AnswerView, MessageView } from '#web/messages/MessageView.tsx'
import { ShownPlain } from '#web/messages/readingContext.ts'
import type { Turn } from '#web/messages/turn.ts'
import { AnswerActions } from './AnswerActions.tsx'
import { QuestionActions } from './QuestionActions.tsx'
import styles from './thread.module.css'

/** Further tools for the messages of a turn. Components and not elements, so that a turn renders again only when it changed. */
export type TurnTools = {
  /** Buttons in the row under an answer. */
  Answer: ComponentType<{ turn: Turn; last: boolean }>
  /** Buttons in the row under a question. */
  Question: ComponentType<{ turn: Turn; last: boolean }>
  /** Wraps the question with its row, and may replace them. */
  Asked: ComponentType<{ question: Message; children: ReactNode }>
}

/** Growing texts, and whether the last answer still grows. */
export type TurnLife = { feedOf: ((message_id: string) => TextFeed | undefined) | undefined; growing: boolean }

type TurnViewProps = { turn: Turn; last: boolean; life: TurnLife; tools: TurnTools | undefined; actions: ReactNode }

/** A question with its answer. The browser skips the layout of turns that are far away (`content-visibility`). */
export const TurnView = memo(function TurnView({ turn, last, life, tools, actions }: TurnViewProps) {
  const { question, replies } = turn
  const [plain, onPlain] = useState(false)
  return (
    <section className={last ? styles.lastTurn : styles.turn}>
      {question !== null && <Asked turn={turn} question={question} last={last} tools={tools} />}
      {replies.length > 0 && (
        <ShownPlain value={plain ? true : null}>
          <AnswerView replies={replies} feedOf={life.feedOf} growing={life.growing} />
        </ShownPlain>
      )}
      {!life.growing && replies.some(reply => !isThoughts(reply)) && (
        <AnswerActions replies={replies} shown={{ plain, onPlain }}>
          {tools !== undefined && <tools.Answer turn={turn} last={last} />}
          {actions}
        </AnswerActions>
      )}
    </section>
  )
}, sameTurn)

function Asked({
  turn,
  question,
  last,
  tools,
}: {
  turn: Turn
  question: Message
  last: boolean
  tools: TurnTools | undefined
}) {
  const { renderUserMessageInMd } = usePreferences()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const shown = { plain: chosen ?? !renderUserMessageInMd, onPlain: setChosen }
  const asked = (
    <>
      <ShownPlain value={chosen}>
        <MessageView message={question} />
      </ShownPlain>
      <QuestionActions question={question} shown={shown}>
        {tools !== undefined && <tools.Question turn={turn} last={last} />}
      </QuestionActions>
    </>
  )
  return tools === undefined ? asked : <tools.Asked question={question}>{asked}</tools.Asked>
}

/** A path is a new array after each change, with the same message objects in it. */
function sameTurn(a: TurnViewProps, b: TurnViewProps): boolean {
  return (
    a.last === b.last &&
    a.life.growing === b.life.growing &&
    a.life.feedOf === b.life.feedOf &&
    a.tools === b.tools &&
    a.actions === b.actions &&
    a.turn.question === b.turn.question &&
    a.turn.replies.length === b.turn.replies.length &&
    a.turn.replies.every((reply, at) => reply === b.turn.replies[at])
  )
}
