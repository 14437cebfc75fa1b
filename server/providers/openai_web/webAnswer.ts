import { beginningOf } from '#contract/cutText.ts'
import { isVisible, MessageId } from '#contract/messages.ts'
import type { WebContent } from '#contract/messageForms/content.ts'
import { isRecap, recapSeconds } from '#contract/messageForms/words.ts'
import { type Fields, fieldOf, isFields } from '../looseJson.ts'
import type { ProviderEvent, Question } from '../provider.ts'
import { wholeCharacters } from './growing.ts'
import { type CodeOf, roleOf, toMessage } from './message.ts'
import { isVisiblePart, openReaders, type Part, type State, stateOf } from './readers.ts'

/** Of one answer; nobody means more. */
const MAX_MESSAGES = 200
/** Characters of all messages that are not their growing text: metadata, pictures' addresses, outputs. */
const MAX_BESIDE_TEXT = 16 * 1024 * 1024

export type WebAnswer = ReturnType<typeof webAnswer>

/** What an answer needs to know of the ask. `text` is that of the question. */
export type Asked = {
  question: Question
  question_id: string | null
  text: string
  /** Of the messages of the thread, by id. */
  parents: ReadonlyMap<string, string | null>
  codeOf: CodeOf
  most: number
}

/**
 * Emits the messages of an answer as they grow. The upstream sends the whole message again and again: what was appended
 * is found by comparison, and emitted alone. A message that changes in another way is emitted whole once more, as often
 * as the allowance for that lasts, and at the end in any case.
 */
export function webAnswer(
  { question, question_id, text, parents, codeOf, most }: Asked,
  emit: (event: ProviderEvent) => void,
) {
  const parts = new Map<string, Part>()
  const readers = openReaders({ question, codeOf }, emit)
  let latest: Part | null = null
  let room = most
  let besideRoom = MAX_BESIDE_TEXT
  let hasEcho = false
  let isFull = false
  let grown = 0

  /** `length`: characters of the event, which bound what has to be kept of it. */
  function take(given: Fields, length: number): void {
    const id = given['id']
    if (isFull || typeof id !== 'string' || !isKnownOrValid(id)) return
    const role = roleOf(given)
    if (role === 'user') return repeatQuestion(given)
    // What comes before the question is no part of the answer.
    if (role === 'system' && !hasEcho && parts.size === 0) return
    const part = parts.get(id) ?? begin(id, given)
    if (part === null) return
    const next = stateOf(given)
    room -= next.text.length - part.now.text.length
    if (next.text.length > part.now.text.length) grown += 1
    besideRoom -= length - next.text.length - part.beside
    part.beside = length - next.text.length
    // A recap has told how long these thoughts took.
    part.now = part.seconds === null ? next : withSeconds(next, part.seconds)
    if (room < 0) cut(part)
    isFull ||= besideRoom < 0
    latest = part
    if (isRecap(given)) addSeconds(recapSeconds(given))
    readers.show(part)
  }

  /** To the thoughts before it, unless something was said after them. */
  function addSeconds(seconds: number | null): void {
    const part = [...parts.values()].findLast(({ now }) => isThoughts(now.read) || isSaid(now))
    if (part === undefined || seconds === null || !isThoughts(part.now.read) || part.seconds === seconds) return
    part.seconds = seconds
    part.now = withSeconds(part.now, seconds)
    readers.complete(part)
  }

  /** One that cannot be stored would be lost with all that follows it. */
  const isKnownOrValid = (id: string): boolean => parts.has(id) || MessageId.safeParse(id).success

  function begin(id: string, given: Fields): Part | null {
    if (parts.size >= MAX_MESSAGES) {
      isFull = true
      return null
    }
    // Whatever this one follows has to be there.
    if (latest?.shown === null) readers.showWhole(latest)
    // An answer that goes on under its own id stays where it stands.
    const parent = parents.has(id) ? (parents.get(id) ?? null) : (latest?.id ?? question.parent)
    const now = { ...stateOf(given), text: '' }
    const part: Part = { id, parent, now, shown: null, beside: 0, isCut: false, isSettled: false, seconds: null }
    parts.set(id, part)
    grown += 1
    return part
  }

  function cut(part: Part): void {
    const end = Math.max(0, part.now.text.length + room)
    part.now = { ...part.now, text: wholeCharacters(beginningOf(part.now.text, end)) }
    part.isCut = true
    isFull = true
    room = 0
  }

  /** Once, and under the question's id: some upstreams give it another one. */
  function repeatQuestion(given: Fields): void {
    if (question_id === null || hasEcho) return
    if (given['id'] !== question_id && stateOf(given).text !== text) return
    const message = toMessage(given, codeOf)
    if (message === null) return
    hasEcho = true
    emit({ type: 'message', message: { ...message, id: question_id, parent: parents.get(question_id) ?? null } })
  }

  const hasText = (): boolean => [...parts.values()].some(isVisiblePart)

  /** What readers do not know yet. */
  function flush(): void {
    for (const part of parts.values()) readers.complete(part)
  }

  return {
    take,
    /** Whether there is anything to be seen of the answer. */
    hasText,
    /** Whether the model has thought, whatever came of it. */
    hasThoughts: (): boolean => [...parts.values()].some(({ now }) => isThoughts(now.read) && isVisible(now.text)),
    /** Whether anything of the answer came at all. */
    hasBegun: () => parts.size > 0,
    isFull: () => isFull,
    /** How often something new has come. */
    grown: () => grown,
    /** How its last message says that it ended; null where it does not. */
    finish: (): 'whole' | 'broken' | null => (latest === null ? null : finishOf(latest.now.given)),
    flush,
    /** All that came is there. The last message is emitted whole, complete. */
    end(): void {
      flush()
      if (latest !== null) readers.end(latest, hasText())
    },
  }
}

const isThoughts = ({ content }: WebContent): boolean => content?.content_type === 'thoughts'
const isSaid = ({ given, read }: State): boolean =>
  roleOf(given) === 'assistant' && read.content?.content_type === 'text' && !read.isHidden

function withSeconds(state: State, seconds: number): State {
  const { content } = state.read
  return content?.content_type === 'thoughts'
    ? { ...state, read: { ...state.read, content: { ...content, seconds } } }
    : state
}

function finishOf(given: Fields): 'whole' | 'broken' | null {
  const details = fieldOf(given['metadata'], 'finish_details')
  if (fieldOf(details, 'type') === 'interrupted') return 'broken'
  const isFinished = typeof given['status'] === 'string' && given['status'].startsWith('finished')
  return isFinished && (given['end_turn'] === true || isFields(details)) ? 'whole' : null
}
