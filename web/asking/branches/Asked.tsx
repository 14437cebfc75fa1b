import type { ReactNode } from 'react'
import type { Message } from '#contract/messages.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { useBranchDesk } from './branchDesk.ts'
import { editQuestion, useEditing } from './editing.ts'

const QuestionEditor = lazyComponent(() => import('./QuestionEditor.tsx').then(module => module.QuestionEditor))

/** A question, or the field in its place while it is changed. */
export function Asked({ question, children }: { question: Message; children: ReactNode }) {
  const desk = useBranchDesk()
  const isEdited = useEditing(({ message_id }) => message_id === question.id)
  return isEdited && desk !== null ? (
    <QuestionEditor desk={desk} question={question} fallback={children} onLoadError={() => editQuestion(null)} />
  ) : (
    children
  )
}
