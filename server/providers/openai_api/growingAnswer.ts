import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
import {
  type ApiCitedPage,
  isVisible,
  type Message,
  MAX_PICTURES,
  type Usage,
  withoutPictures,
} from '#contract/messages.ts'
import type { ProviderEvent, Question } from '../provider.ts'

export type GrowingAnswer = ReturnType<typeof growingAnswer>

/** Characters of white space that are held before there is anything to see; of more only the end is kept. */
const MAX_HELD = 1_000

/**
 * Emits an answer and the thoughts before it as they grow. Neither is emitted before there is something to be seen of
 * it. Thoughts that come after the answer has begun join those before it, at the end; without any before it they have
 * no place.
 */
export function growingAnswer(asked: Question, most: number, emit: (event: ProviderEvent) => void) {
  const room = roomFor(most)
  let question = asked
  let [thoughts, text] = [growingText(room), growingText(room)]
  let since = 0
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
      held.thoughts = given.slice(-MAX_HELD)
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
      held.text = given.slice(-MAX_HELD)
      return
    }
    held.text = ''
    const added = text.add(given)
    if (added === '') return
    if (!hasBegun) {
      endThinking()
      hasBegun = true
      since = performance.now()
      emit({ type: 'message', message: message('', { finish_reason: null, usage: null, sources: [] }) })
    }
    emit({ type: 'text', text: added })
  }

  /**
   * What was said so far turns out to be thoughts. They keep their id, and the answer behind them gets the other one.
   */
  function becomeThoughts(): void {
    if (!hasBegun) return void (held.text = '')
    question = { ...question, reply_id: question.thoughts_id, thoughts_id: question.reply_id }
    thoughts = text
    text = growingText(room)
    thinking = { since, seconds: null, is_late: false }
    hasBegun = false
    endThinking()
  }

  const message = (said: string, end: AnswerEnd) =>
    answer(question, thinking === null ? question.parent : question.thoughts_id, said, end)

  return {
    think,
    say,
    becomeThoughts,
    noteLinks: (urls: readonly string[]) => emit({ type: 'picture_links', urls }),
    text: () => text.text(),
    thoughts: () => thoughts.text(),
    /** Characters of both. */
    length: () => text.text().length + thoughts.text().length,
    /** Whether there is anything to be seen of the answer itself. */
    hasText: () => hasBegun,
    hasThoughts: () => thinking !== null,
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

/** How much may still be added to an answer, its thoughts included; pictures within it count by themselves. */
type Bounds = { characters: number; pictures: number }

const roomFor = (characters: number): Bounds => ({ characters, pictures: MAX_PICTURES })

/** Shorter ones are not looked through for pictures. */
const MAY_BE_PICTURE = 2_000

/** A text as it grows: storable in both databases, of limited length, and never ending in half a surrogate pair. */
function growingText(room: Bounds) {
  let text = ''
  let half = ''
  let isFull = false
  return {
    text: () => text,
    /** More came than there was room for. */
    isFull: () => isFull,
    /** Returns what was really added: the first half of a surrogate pair waits for the second. */
    add(more: string): string {
      if (more === '' || isFull) return ''
      const given = half + more
      half = endsInHalf(given) ? given.slice(-1) : ''
      const whole = storableText(half === '' ? given : given.slice(0, -1))
      const pictures =
        whole.length < MAY_BE_PICTURE ? 0 : Math.min(whole.length - withoutPictures(whole).length, room.pictures)
      isFull = whole.length - pictures > room.characters
      const added = isFull ? beginningOf(whole, room.characters) : whole
      room.pictures -= pictures
      room.characters -= isFull ? added.length : added.length - pictures
      text += added
      return added
    },
  }
}

/** In the first half of a surrogate pair. */
function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** What is stored with an answer beside its text. */
export type AnswerEnd = { finish_reason: string | null; usage: Usage | null; sources: readonly ApiCitedPage[] }

/** The answer as our message (docs/protocol.md). */
function answer(
  question: Question,
  parent: string | null,
  text: string,
  { finish_reason, usage, sources }: AnswerEnd,
): Message {
  return {
    ...ours(question),
    id: question.reply_id,
    parent,
    content: { content_type: 'text', text },
    metadata: { source: 'openai_api', usage, finish_reason, ...(sources.length > 0 && { sources: [...sources] }) },
  }
}

/** What the model thought before it. */
function thoughtsMessage(question: Question, text: string, seconds: number | null): Message {
  return {
    ...ours(question),
    id: question.thoughts_id,
    parent: question.parent,
    content: { content_type: 'thoughts', text, seconds },
    metadata: { source: 'openai_api' },
  }
}

const ours = ({ source, model, create_time }: Question): Omit<Message, 'id' | 'parent' | 'content' | 'metadata'> => ({
  source,
  role: 'assistant',
  author_name: null,
  model,
  create_time,
  children: [],
})
