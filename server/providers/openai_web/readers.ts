import { isVisible, type Message } from '#contract/messages.ts'
import type { WebContent } from '#contract/messageForms/content.ts'
import type { Fields } from '../looseJson.ts'
import type { ProviderEvent, Question } from '../provider.ts'
import { growingText, isSaidTheSame, isSameBesideText, withGrowingText } from './growing.ts'
import { type CodeOf, contentIn, roleOf, toMessage } from './message.ts'

/** What is said beside the text of a message that ended because it was too long. */
const CUT = { finish_details: { type: 'max_tokens' } }

/** A state of a message: as the upstream sent it, what it says, and of that the growing text. */
export type State = { given: Fields; read: WebContent; text: string }

export function stateOf(given: Fields): State {
  const read = contentIn(given, given['status'] === 'in_progress')
  return { given, read, text: growingText(read.content) }
}

export type Part = {
  id: string
  parent: string | null
  now: State
  /** As readers know it; null before there is anything to be seen. */
  shown: State | null
  /** Characters of the event beside the text. */
  beside: number
  isCut: boolean
  /** Whether it was emitted last as a whole, and nothing since. */
  isSettled: boolean
  /** That thoughts took, once it is known. */
  seconds: number | null
}

/**
 * Brings the messages of an answer to those who read it: what was appended alone where that is all, else the whole
 * message.
 */
export function openReaders(
  { question, codeOf }: { question: Question; codeOf: CodeOf },
  emit: (event: ProviderEvent) => void,
) {
  const allowance = openAllowance()
  let latestShown: Part | null = null

  /** Brings to its readers what they do not know of a message, as cheaply as it can be. */
  function show(part: Part): void {
    const { now, shown } = part
    if (shown === null) {
      if (isSeen(now)) beginShowing(part)
      return
    }
    const isAppended =
      latestShown === part &&
      now.text.startsWith(shown.text) &&
      now.read.isHidden === shown.read.isHidden &&
      isSameBesideText(now.read.content, shown.read.content)
    if (isAppended) append(part, shown)
    const isKnown = isAppended && isSaidTheSame(now.given, shown.given)
    if (!isKnown && allowance.take(now.text.length + part.beside)) showWhole(part)
  }

  /** A text begins empty, so that all of it is appended. */
  function beginShowing(part: Part): void {
    const { given, read } = part.now
    const type = read.content?.content_type
    if ((type !== 'text' && type !== 'thoughts') || given['status'] !== 'in_progress') return showWhole(part)
    part.shown = { given, read, text: '' }
    latestShown = part
    emitWhole(part, '')
    append(part, part.shown)
  }

  function append(part: Part, shown: State): void {
    const more = part.now.text.slice(shown.text.length)
    if (more === '') return
    part.shown = { ...shown, text: part.now.text }
    part.isSettled = false
    emit({ type: 'text', text: more })
  }

  function showWhole(part: Part): void {
    part.shown = part.now
    part.isSettled = true
    latestShown = part
    emitWhole(part, part.now.text)
  }

  function emitWhole({ id, parent, now, isCut }: Part, text: string): void {
    const { given } = now
    // Positions of sources are right in the whole text alone.
    const citations = text === growingText(now.read.content) ? now.read.citations : []
    const content = withGrowingText(now.read.content, text)
    const message = toMessage(given, codeOf, { ...now.read, content, citations })
    if (message === null) return
    const ours: Message = { ...message, id, parent, create_time: message.create_time ?? question.create_time }
    if (ours.role === 'assistant') ours.model ??= question.model
    if (isCut && ours.metadata?.source === 'openai_web') ours.metadata = { ...ours.metadata, ...CUT }
    emit({ type: 'message', message: ours })
  }

  return {
    show,
    showWhole,
    /** What readers do not know yet of a message that they know. */
    complete(part: Part): void {
      if (part.shown !== null && !isShownAs(part.shown, part.now)) showWhole(part)
    },
    /**
     * The last message comes whole once more, complete; one that is empty only where there is an answer that it ends.
     */
    end(part: Part, hasText: boolean): void {
      if ((part.shown !== null || hasText) && !(part.isSettled && part === latestShown)) showWhole(part)
    },
  }
}

/** Whether its readers see anything of it now: what shrinks to nothing is seen no more. */
export const isVisiblePart = ({ shown }: Part): boolean =>
  shown !== null &&
  !shown.read.isHidden &&
  shown.read.content?.content_type !== 'thoughts' &&
  roleOf(shown.given) !== 'system' &&
  isSeen(shown)

const isShownAs = (shown: State, now: State): boolean =>
  shown.text === now.text &&
  shown.read.isHidden === now.read.isHidden &&
  isSameBesideText(shown.read.content, now.read.content) &&
  isSaidTheSame(shown.given, now.given)

/** Text that is nothing but white space is not begun with; all else is there to be seen, if only by what is done. */
function isSeen({ read, text }: State): boolean {
  const type = read.content?.content_type
  if (type === 'text' || type === 'code' || type === 'thoughts') return isVisible(text)
  return type !== undefined
}

/** Characters that may be sent once more at once, and per second after that. */
const AT_ONCE = 128 * 1024
const PER_SECOND = 32 * 1024
/** What each costs beside its text. */
const EACH = 1_000

/**
 * How much of an answer may be emitted again as a whole: enough for all that happens, and no way to make the traffic
 * grow with the square.
 */
function openAllowance(now: () => number = () => performance.now()) {
  let left = AT_ONCE
  let at = now()
  return {
    take(characters: number): boolean {
      const time = now()
      left = Math.min(AT_ONCE, left + ((time - at) / 1000) * PER_SECOND)
      at = time
      const cost = characters + EACH
      if (cost > left) return false
      left -= cost
      return true
    },
  }
}
