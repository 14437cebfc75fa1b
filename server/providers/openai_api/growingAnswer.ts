import { isVisible } from '#contract/messages.ts'
import type { ProviderEvent, Question } from '../provider.ts'
import { growingText, roomFor } from './growingText.ts'
import { answer, type AnswerEnd, thoughtsMessage } from './messages.ts'

export type GrowingAnswer = ReturnType<typeof growingAnswer>

/** White space before there is anything to be seen; of more only the end is kept. */
const MOST_HELD = 1_000

/**
 * Emits an answer and the thoughts before it as they grow. Neither is emitted before there is something to be seen of it. Thoughts that come
 * after the answer has begun join those before it, at the end; without any before it they have no place.
 */
export function growingAnswer(question: Question, most: number, emit: (event: ProviderEvent) => void) {
  const room = roomFor(most)
  const [thoughts, text] = [growingText(room), growingText(room)]
  const held = { thoughts: '', text: '' }
  let thinking: { since: number; seconds: number | null; is_late: boolean } | null = null
  let hasBegun = false

  function think(more: string): void {
    if (hasBegun) {
      if (thinking !== null)
        thinking.is_late = thoughts.add(thinking.is_late ? more : `\n\n${more}`) !== '' || thinking.is_late
      return
    }
    const given = held.thoughts + more
    if (thinking === null && !isVisible(given)) {
      held.thoughts = given.slice(-MOST_HELD)
      return
    }
    held.thoughts = ''
    const added = thoughts.add(thinking === null ? given.trimStart() : given)
    if (added === '') return
    if (thinking === null) {
      thinking = { since: performance.now(), seconds: null, is_late: false }
      emit({ type: 'message', message: thoughtsMessage(question, '', null) })
    }
    emit({ type: 'text', text: added })
  }

  function endThinking(): void {
    if (thinking === null || thinking.seconds !== null) return
    thinking.seconds = Math.round((performance.now() - thinking.since) / 100) / 10
    emit({ type: 'message', message: thoughtsMessage(question, thoughts.text().trimEnd(), thinking.seconds) })
  }

  function say(more: string): void {
    const given = held.text + more
    if (!hasBegun && !isVisible(given)) {
      held.text = given.slice(-MOST_HELD)
      return
    }
    held.text = ''
    const added = text.add(given)
    if (added === '') return
    if (!hasBegun) {
      endThinking()
      hasBegun = true
      emit({ type: 'message', message: message('', { finish_reason: null, usage: null, sources: [] }) })
    }
    emit({ type: 'text', text: added })
  }

  const message = (said: string, end: AnswerEnd) =>
    answer(question, thinking === null ? question.parent : question.thoughts_id, said, end)

  return {
    think,
    say,
    text: text.text,
    thoughts: thoughts.text,
    /** Whether there is anything to be seen of the answer itself. */
    hasText: () => hasBegun,
    /** Whether anything came at all, if only thoughts or white space. */
    hasAnything: () => hasBegun || thinking !== null || held.text !== '' || held.thoughts !== '',
    isFull: () => text.isFull() || thoughts.isFull(),
    /** All that came is there: its final state is emitted, whole or not. */
    end(end: AnswerEnd): void {
      if (thinking?.is_late === true)
        emit({ type: 'message', message: thoughtsMessage(question, thoughts.text().trimEnd(), thinking.seconds) })
      endThinking()
      if (hasBegun) emit({ type: 'message', message: message(text.text(), end) })
    },
    /** Nothing more comes of the thoughts, and perhaps never an answer. */
    endThinking,
  }
}
