import { useMemo } from 'react'
import type { Message } from '#contract/messages.ts'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import { MessageView } from './MessageView.tsx'
import { piecesOf } from './pieces.ts'
import { Steps } from './Steps.tsx'

type AnswerViewProps = {
  replies: readonly Message[]
  feedOf: ((message_id: string) => TextFeed | undefined) | undefined
  growing: boolean
}

/** Everything that answers a question, shown as one: texts, and between them the steps of tools. */
export function AnswerView({ replies, feedOf, growing }: AnswerViewProps) {
  const pieces = useMemo(
    () => piecesOf(replies, id => growing && feedOf?.(id) !== undefined),
    [replies, feedOf, growing],
  )
  return pieces.map((piece, at) => {
    if (piece.kind === 'said')
      return <MessageView key={piece.key} message={piece.message} feed={feedOf?.(piece.message.id)} />
    return <Steps key={piece.key} steps={piece.steps} feedOf={feedOf} growing={growing && at === pieces.length - 1} />
  })
}
