import { isVisible, type Message } from '#contract/messages.ts'
import { type Fields, fieldOf, isFields } from '../looseJson.ts'
import type { ProviderEvent, Question } from '../provider.ts'
import { isSaidTheSame, isSameBesideText, withGrowingText } from './growing.ts'
import { type CodeOf, roleOf, toMessage } from './message.ts'
import { openAllowance } from './repeats.ts'

/** What is said beside the text of a message that ended because it was too long. */
const CUT = { finish_details: { type: 'max_tokens' } }

/** A state of a message: as the upstream sent it, and its growing text. */
type State = { given: Fields; text: string }

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
}

/** Brings the messages of an answer to those who read it: what was appended alone where that is all, else the whole message. */
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
      isSameBesideText(now.given['content'], shown.given['content'])
    if (isAppended) append(part, shown)
    const isKnown = isAppended && isSaidTheSame(now.given, shown.given)
    if (!isKnown && allowance.take(now.text.length)) showWhole(part)
  }

  /** A text begins empty, so that all of it is appended. */
  function beginShowing(part: Part): void {
    const { given } = part.now
    if (fieldOf(given['content'], 'content_type') !== 'text' || given['status'] !== 'in_progress')
      return showWhole(part)
    part.shown = { given, text: '' }
    latestShown = part
    emitWhole(part, '')
    append(part, part.shown)
  }

  function append(part: Part, shown: State): void {
    const more = part.now.text.slice(shown.text.length)
    if (more === '') return
    part.shown = { given: shown.given, text: part.now.text }
    part.isSettled = false
    emit({ type: 'text', text: more })
  }

  function showWhole(part: Part): void {
    part.shown = part.now
    part.isSettled = true
    latestShown = part
    emitWhole(part, part.now.text)
  }

  function emitWhole({ id, parent, now: { given }, isCut }: Part, text: string): void {
    const message = toMessage({ ...given, content: withGrowingText(given['content'], text) }, codeOf)
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
    /** The last message comes whole once more, complete; one that is empty only where there is an answer that it ends. */
    end(part: Part, hasText: boolean): void {
      if ((part.shown !== null || hasText) && !(part.isSettled && part === latestShown)) showWhole(part)
    },
  }
}

/** Whether its readers see anything of it now: what shrinks to nothing is seen no more. */
export const isVisiblePart = ({ shown }: Part): boolean =>
  shown !== null && roleOf(shown.given) !== 'system' && isSeen(shown)

const isShownAs = (shown: State, now: State): boolean =>
  shown.text === now.text &&
  isSameBesideText(shown.given['content'], now.given['content']) &&
  isSaidTheSame(shown.given, now.given)

/** Text that is nothing but white space is not begun with; all else is there to be seen, if only by what is done. */
function isSeen({ given, text }: State): boolean {
  const content = given['content']
  const type = fieldOf(content, 'content_type')
  if (type === 'text' || type === 'code') return isVisible(text)
  return isFields(content)
}
