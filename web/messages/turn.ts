import { isShown, type Message, textOf } from '#contract/messages.ts'
import { pageSource } from '#web/sources/list/list.ts'
import { continues, type Step, stepFailed, stepKindOf } from './steps.ts'

/** A question and its answer. A conversation may begin without a question. */
export type Turn = { key: string; question: Message | null; replies: Message[] }

export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (!isShown(message)) continue
    if (message.role === 'user') turns.push({ key: message.id, question: message, replies: [] })
    else if (last === undefined) turns.push({ key: message.id, question: null, replies: [message] })
    else last.replies.push(message)
  }
  return turns
}

/** A part of an answer: a message to the reader, or consecutive steps of tools. */
type Piece = { kind: 'message'; key: string; message: Message } | { kind: 'steps'; key: string; steps: Step[] }

/** The pieces of an answer. Empty messages, which some sources send, are left out unless their text still grows. */
export function piecesOf(replies: readonly Message[], grows: (message_id: string) => boolean): Piece[] {
  const pieces: Piece[] = []
  for (const message of replies) {
    const kind = stepKindOf(message)
    const last = pieces.at(-1)
    if (kind === null) {
      if (!isEmpty(message) || grows(message.id)) pieces.push({ kind: 'message', key: message.id, message })
      continue
    }
    const steps = last?.kind === 'steps' ? last.steps : []
    if (last?.kind !== 'steps') pieces.push({ kind: 'steps', key: message.id, steps })
    const step = steps.at(-1)
    // An error that names no tool belongs to the call before it.
    if (step !== undefined && (step.kind === kind || kind === 'error') && continues(step, message))
      step.messages.push(message)
    else steps.push({ kind, messages: [message], failed: false, recovered: false })
  }
  markFailures(pieces)
  return pieces
}

/** Marks failed steps; one is recovered when anything comes after it. */
function markFailures(pieces: readonly Piece[]): void {
  const steps = pieces.flatMap(piece => (piece.kind === 'steps' ? piece.steps : []))
  const lastPiece = pieces.at(-1)
  for (const step of steps) {
    step.failed = stepFailed(step)
    step.recovered = step.failed && (lastPiece?.kind !== 'steps' || lastPiece.steps.at(-1) !== step)
  }
}

function isEmpty(message: Message): boolean {
  const { source, content } = message
  if (!pageSource(source).hasEmptyMessages) return false
  if (content === null) return true
  if (content.content_type === 'text') return textOf(message).trim() === ''
  return content.content_type === 'multimodal_text' && content.parts.length === 0
}
