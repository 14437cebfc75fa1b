import type { Message } from '#contract/messages.ts'
import { continues, type Step, stepFailed, stepKindOf } from './steps.ts'

/** An answer as it is read: what is said, and between it what tools did. */
export type Piece = { kind: 'said'; key: string; message: Message } | { kind: 'steps'; key: string; steps: Step[] }

/** Consecutive messages become one answer. A web answer may hold messages that say nothing; one that grows is still to come. */
export function piecesOf(replies: readonly Message[], grows: (message_id: string) => boolean): Piece[] {
  const pieces: Piece[] = []
  for (const message of replies) {
    const kind = stepKindOf(message)
    const last = pieces.at(-1)
    if (kind === null) {
      if (!isEmpty(message) || grows(message.id)) pieces.push({ kind: 'said', key: message.id, message })
    } else if (last?.kind === 'steps') {
      const step = last.steps.at(-1)
      if (step !== undefined && (step.kind === kind || kind === 'error') && continues(step, message))
        step.messages.push(message)
      else last.steps.push(aStep(kind, message))
    } else {
      pieces.push({ kind: 'steps', key: message.id, steps: [aStep(kind, message)] })
    }
  }
  judge(pieces)
  return pieces
}

function aStep(kind: Step['kind'], message: Message): Step {
  return { kind, messages: [message], failed: false, recovered: false }
}

/** A failed step is recovered from when anything comes after it. */
function judge(pieces: readonly Piece[]): void {
  const steps = pieces.flatMap(piece => (piece.kind === 'steps' ? piece.steps : []))
  const lastPiece = pieces.at(-1)
  for (const step of steps) {
    step.failed = stepFailed(step)
    step.recovered = step.failed && (lastPiece?.kind !== 'steps' || lastPiece.steps.at(-1) !== step)
  }
}

function isEmpty({ source, content }: Message): boolean {
  if (source === 'openai_api' || content === null) return source === 'openai_web'
  if (content.content_type === 'text') return (content.text ?? content.parts?.join('') ?? '').trim() === ''
  return content.content_type === 'multimodal_text' && content.parts.length === 0
}
