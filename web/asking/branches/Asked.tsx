import { lazy, type ReactNode, Suspense } from 'react'
import type { Message } from '#contract/messages.ts'
import { useBranchDesk } from './branchDesk.ts'
import { useEditing } from './editing.ts'

const QuestionEditor = lazy(() => import('./QuestionEditor.tsx').then(module => ({ default: module.QuestionEditor })))

/** A question, or the field in its place while it is changed. */
export function Asked({ question, children }: { question: Message; children: ReactNode }) {
  const desk = useBranchDesk()
  const isEdited = useEditing(({ message_id }) => message_id === question.id)
  return isEdited && desk !== null ? <Suspense fallback={children}><QuestionEditor desk={desk} question={question} /></Suspense> : children
}
