import type { ReactNode } from 'react'
import { type Message, textOf } from '#contract/messages.ts'
import { RelativeTime } from '#web/messages/RelativeTime.tsx'
import { CopyAction } from './CopyAction.tsx'
import { MoreActions, type Shown } from './MoreActions.tsx'
import styles from './thread.module.css'

type QuestionActionsProps = {
  question: Message
  shown: Shown
  /** What else can be done with it: changing it, other branches. */
  children?: ReactNode
}

/** What one can do with one's own question. */
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
