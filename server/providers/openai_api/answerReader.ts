import type { ApiCitedPage, Usage } from '#contract/messages.ts'
import type { ReaderSignal } from '#server/foundation/outbound/answer.ts'
import { eventReader, silenceBound } from '../eventStream.ts'
import { isFields, parsed } from '../looseJson.ts'
import { bodyBeginning, readError, type UpstreamError } from '../upstreamErrors.ts'
import { type Chunk, fromUpstream, furtherChoices, type Finish } from './chunks.ts'
import type { TextAndThoughts } from './content.ts'
import type { GrowingAnswer } from './growingAnswer.ts'
import { together } from './sources.ts'
import { thinkTags, withoutThinkTags, unopenedThoughts } from './thinkTags.ts'

/** What is known of how an answer ended. */
export type ReadEnd = {
  finish: Finish | null
  usage: Usage | null
  sources: readonly ApiCitedPage[]
  error: UpstreamError | null
  /** The stream said that it is over, or the one document is there to its end. */
  is_complete: boolean
  /** Whether anything came that is of this protocol. */
  is_known: boolean
}

/** Characters of a document besides the answer. */
const MAX_BESIDE_ANSWER = 1_000_000
const PICTURE = 8 * 1024 * 1024
/** Lines of a document that is none, which may be one each. */
const MAX_LINES = 1_000
/** Characters of JSON that one character may take. */
const WIDEST = 6

/**
 * Reads the body of an answer into the answer, in whatever form it comes: news of it, whole messages, or one document.
 */
export function answerReader(answer: GrowingAnswer, most: number) {
  const events = eventReader({ most_of_document: PICTURE + WIDEST * most + MAX_BESIDE_ANSWER })
  const silence = silenceBound()
  const beginning = bodyBeginning()
  const messages = wholeMessages(answer)
  let tags = thinkTags()
  const unopened = unopenedThoughts(answer)
  const further = furtherChoices()
  let [chosen, finish_choice]: [number | null, number | null] = [null, null]
  let unknown_events = 0
  let hasBegun = false
  const end: ReadEnd = { finish: null, usage: null, sources: [], error: null, is_complete: false, is_known: false }

  const emit = ({ text, thoughts }: TextAndThoughts): void => {
    if (thoughts !== '') answer.think(thoughts)
    if (text !== '') unopened.take(text)
  }

  /**
   * What comes together is emitted together, which makes a fast answer much cheaper. What follows an error is ignored.
   */
  function read(given: readonly string[]): void {
    let text = ''
    for (const event of given) {
      const chunk = fromUpstream(event, chosen)
      if (chunk === null || saysNothing(chunk)) unknown_events += 1
      if (chunk === null) continue
      if (chunk.thoughts !== '') {
        emit(tags.take(text))
        text = ''
        answer.think(chunk.thoughts)
      }
      text += chunk.text
      if (chunk.text !== '') messages.noteDelta()
      if (chunk.whole !== null) {
        emit(tags.take(text))
        text = ''
        readWhole(chunk.whole, chunk.finish !== null)
      }
      note(chunk)
      text += restBehind(chunk)
      if (end.error !== null) break
    }
    if (text !== '') emit(tags.take(text))
  }

  /** What has come of the answer in another choice, once that is known to be a part of it. */
  function restBehind({ text, whole, other }: Pick<Chunk, 'text' | 'whole' | 'other'>): string {
    const hasSpoken = text !== '' || whole !== null
    if (hasSpoken) further.noteSpoken()
    if (other !== null) further.note(other, hasSpoken, end.finish !== null)
    return readRest(false)
  }

  function readRest(isOver: boolean): string {
    const rest = further.continuation(end.finish, isOver, chosen)
    if (rest === null) return ''
    chosen = finish_choice = rest.choice
    end.finish = rest.finish
    messages.noteDelta()
    return rest.text
  }

  function readWhole(whole: TextAndThoughts, isLast: boolean): void {
    // It is compared with what was said.
    if (messages.hadDelta()) unopened.end()
    const more = messages.take(whole, isLast)
    if (more.thoughts !== '') answer.think(more.thoughts)
    if (!more.is_plain) return emit(tags.take(more.text))
    tags = thinkTags()
    if (more.text !== '') answer.say(more.text)
  }

  function note({ text, whole, choice, finish, usage, error, sources, picture_links, is_token }: Chunk): void {
    if (picture_links.length > 0) answer.noteLinks(picture_links)
    hasBegun ||= is_token
    end.is_known ||= is_token || finish !== null || choice !== null
    if (choice !== null && chosen === null && (text !== '' || (whole !== null && whole.text !== ''))) {
      chosen = choice
      // Another answer has ended, and not this one.
      if (finish_choice !== chosen) end.finish = null
    }
    if (finish !== null && (end.finish === null || end.finish.kind === 'whole')) {
      end.finish = finish
      finish_choice = choice
    }
    end.usage = usage ?? end.usage
    end.sources = together(end.sources, sources)
    end.error = error
  }

  return {
    /** Whether a token of any kind has come. */
    hasBegun: () => hasBegun,
    isDocument: events.isDocument,
    /** What becomes of the body: there may be no use in reading on, or nothing more to come. */
    take(bytes: Uint8Array): ReaderSignal {
      const length = answer.length()
      unknown_events = 0
      beginning.take(bytes)
      if (beginning.isPage()) return 'cancel'
      read(events.take(bytes))
      silence.note({ bytes: bytes.length, unknown_events, says: answer.length() > length || events.isDocument() })
      if (end.error !== null || events.error() !== null || answer.isFull()) return 'cancel'
      return events.isDone() ? 'done' : 'continue'
    },
    /** Nothing more comes. */
    end(): ReadEnd {
      if (end.error === null) read(events.end())
      end.is_complete = readDocument(events.document(), read)
      emit(tags.take(readRest(true)))
      emit(tags.end())
      unopened.end()
      const error = beginning.isPage() ? beginning.text() : events.error()
      if (error !== null) end.error ??= readError(error)
      end.is_complete ||= events.isDone() && error === null
      return end
    },
  }
}

/** Whether there is a document, all of it. */
function readDocument(text: string | null, read: (events: readonly string[]) => void): boolean {
  if (text === null) return false
  const value = parsed(text)
  const only: unknown = Array.isArray(value) ? value[0] : value
  if (isFields(only)) read([only === value ? text : JSON.stringify(only)])
  // Events without anything around them.
  else if (value === undefined) read(text.split('\n', MAX_LINES))
  return value !== undefined
}

const saysNothing = ({ is_token, choice, usage, error, sources }: Chunk): boolean =>
  !is_token && choice === null && usage === null && error === null && sources.length === 0

/**
 * Messages that are sent whole: each has the answer so far, or each has what is new of it, or the last has all that was
 * sent before piece by piece. `is_plain`: what is new is of the answer itself.
 */
function wholeMessages(answer: GrowingAnswer) {
  let hadDelta = false
  const soFar: TextAndThoughts = { text: '', thoughts: '' }

  function newIn(name: keyof TextAndThoughts, given: string, isLast: boolean): string {
    const before = soFar[name]
    // Lengths first: looking into what has grown piece by piece takes as long as it is.
    const mayBeSoFar = given.length > before.length || (isLast && given.length === before.length)
    const isSoFar = mayBeSoFar && given.startsWith(before)
    soFar[name] = isSoFar ? given : before + given
    return isSoFar ? given.slice(before.length) : given
  }

  return {
    hadDelta: () => hadDelta,
    noteDelta: (): void => {
      hadDelta = true
    },
    take({ text, thoughts }: TextAndThoughts, isLast: boolean): TextAndThoughts & { is_plain: boolean } {
      if (!hadDelta)
        return { text: newIn('text', text, isLast), thoughts: newIn('thoughts', thoughts, isLast), is_plain: false }
      const all = withoutThinkTags(text)
      const [before, after] = [answer.text(), all.text]
      const isMore = after.length > before.length && after.startsWith(before)
      return {
        text: isMore ? after.slice(before.length) : '',
        thoughts: answer.thoughts() === '' ? thoughts + all.thoughts : '',
        is_plain: true,
      }
    },
  }
}
