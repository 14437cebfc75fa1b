import type { OutboundAnswer, ReaderSignal } from '#server/foundation/outbound/answer.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { eventReader, silenceBound } from '../eventStream.ts'
import { isFields, parsed, type Fields } from '../looseJson.ts'
import type { ProviderEvent } from '../provider.ts'
import { bodyBeginning, readError, type UpstreamError, errorIn } from '../upstreamErrors.ts'
import { refusalOfError, UpstreamRefusal } from '../upstreamRefusal.ts'
import { deltaReader, isDelta } from './deltas.ts'
import { titleIn } from './reach.ts'
import type { WebAnswer } from './webAnswer.ts'

/** Characters of an event that are none of the text. */
const MAX_BESIDE_TEXT = 4 * 1024 * 1024
/** A character may take six in JSON. */
const WIDEST = 6
/** Bytes of one answer, with all the repetition that there is in it. */
const MAX_ANSWER_BYTES = 4 * 1024 ** 3

/** What is known of how an answer ended. */
export type End = {
  error: UpstreamError | null
  is_blocked: boolean
  /** The stream said that it is over. */
  is_done: boolean
  /** Whether anything came that is of this protocol. */
  is_known: boolean
  /** What the upstream calls the conversation. */
  conversation_id: string | null
  /** Where the answer itself comes. */
  wss_url: string | null
}

export type ReplyReader = ReturnType<typeof replyReader>

/**
 * Reads the events of an answer, however they come, into the answer. `most`: characters of its text; `conversation_id`:
 * where it is known already.
 */
export function replyReader(
  answer: WebAnswer,
  { conversation_id, most, signal }: { conversation_id: string | null; most: number; signal: AbortSignal },
  emit: (event: ProviderEvent) => void,
) {
  const longest = WIDEST * most + MAX_BESIDE_TEXT
  const events = eventReader({ longest, most_of_document: longest })
  const end: End = {
    error: null,
    is_blocked: false,
    is_done: false,
    is_known: false,
    conversation_id,
    wss_url: null,
  }
  const silence = silenceBound()
  const beginning = bodyBeginning()
  let bytes = 0
  let unknown_events = 0
  const deltas = deltaReader(longest)
  /** The message that has changed and is not yet taken: many changes come together, and are taken once. */
  let pending: number | null = null

  function read(given: readonly string[]): void {
    for (const text of given) {
      // Several may have come together: none is told after a stop, or read after an error.
      if (end.error !== null || signal.aborted) return
      const fields = parsed(text)
      if (isFields(fields) && isDelta(fields)) {
        const number = deltas.take(fields, text.length)
        if (number === null) unknown_events += 1
        if (number === null || number === pending) continue
        flushChanges()
        pending = number
        continue
      }
      flushChanges()
      const event = isFields(fields) ? readEvent(fields) : null
      if (event === null || Object.keys(event).length === 0) unknown_events += 1
      if (event !== null) note(event, text.length)
    }
    flushChanges()
  }

  function flushChanges(): void {
    const changed = pending === null ? undefined : deltas.at(pending)
    pending = null
    if (changed !== undefined && end.error === null) note(readEvent(changed.event), changed.length)
  }

  function note({ message, title, is_blocked, is_complete, wss_url, error, ...event }: WebEvent, length: number): void {
    end.is_known ||= event.conversation_id !== undefined
    if (event.conversation_id !== undefined && end.conversation_id === null) {
      end.conversation_id = event.conversation_id
      emit({ type: 'conversation', upstream_conversation_id: event.conversation_id })
    }
    if (message !== undefined) answer.take(message, length)
    if (title !== undefined && title !== '') emit({ type: 'title', title })
    if (is_blocked === true) end.is_blocked = true
    if (is_complete === true) end.is_done = true
    if (wss_url !== undefined) end.wss_url = wss_url
    if (error !== undefined) end.error = error
  }

  return {
    take(chunk: Uint8Array): ReaderSignal {
      bytes += chunk.length
      const grown = answer.grown()
      unknown_events = 0
      beginning.take(chunk)
      if (beginning.isPage()) return 'cancel'
      read(events.take(chunk))
      silence.note({ bytes: chunk.length, unknown_events, says: answer.grown() > grown || events.isDocument() })
      if (end.error !== null || events.error() !== null || answer.isFull() || bytes > MAX_ANSWER_BYTES) return 'cancel'
      return events.isDone() ? 'done' : 'continue'
    },
    /** Nothing more comes. */
    end(): End {
      if (end.error === null) read(events.end())
      const document = events.document()
      if (document !== null && end.error === null) read([document])
      const error = beginning.isPage() ? beginning.text() : events.error()
      if (error !== null) end.error ??= readError(error)
      end.is_done ||= events.isDone()
      return end
    },
  }
}

/**
 * Why an answer is not a whole one; null for one that is. The upstream says that a message is the last one, or that all
 * is done.
 */
export function refusalOf(
  { error, is_blocked, is_done, is_known }: End,
  answer: WebAnswer,
  { response, hasLost, model_name }: { response: OutboundAnswer; hasLost: boolean; model_name: string },
): Refusal | null {
  const finish = answer.finish()
  // The log tells whoever runs the portal what came instead, such as a proxy's page.
  const cause = new UpstreamRefusal({
    status: response.status,
    content_type: response.header('content-type')?.slice(0, 100) ?? 'none',
    finish_reason: finish ?? 'none',
  })
  if (error !== null) {
    const content_type = response.header('content-type')
    return refusalOfError(error, { promised: response.status, hasText: answer.hasText(), content_type, model_name })
  }
  if (is_blocked) return new Refusal('openai.contentFilter', {}, { cause })
  if (finish === 'broken') return new Refusal('openai.cutOff', { reason: 'finish_reason' }, { cause })
  const isWhole = answer.isFull() || finish === 'whole' || (is_done && !hasLost)
  if (isWhole && answer.hasText()) return null
  if (isWhole && answer.hasThoughts()) return new Refusal('openai.thoughtsOnly', {}, { cause })
  if (isWhole || (!is_known && !answer.hasBegun())) return new Refusal('chatgptResponseError', {}, { cause })
  return new Refusal('openai.cutOff', { reason: hasLost ? 'lost_frames' : 'end_of_body' }, { cause })
}

/** What one event of the stream means; what is left out it does not say. */
type WebEvent = {
  conversation_id?: string
  message?: Fields
  title?: string
  error?: UpstreamError
  /** The service's own rules have stopped the answer. */
  is_blocked?: true
  /** All of the answer has come. */
  is_complete?: true
  /** Where the rest of the answer comes. */
  wss_url?: string
}

const ID = /^[\w:.-]{1,64}$/
const MAX_ADDRESS = 8_000

/** What an event means. Types that nobody knows mean nothing but where they belong. */
function readEvent(fields: Fields): WebEvent {
  const event: WebEvent = {}
  const { conversation_id, type, wss_url } = fields
  const message = type === 'input_message' ? fields['input_message'] : fields['message']
  if (typeof conversation_id === 'string' && ID.test(conversation_id)) event.conversation_id = conversation_id
  if (isFields(message) && isFields(message['content'])) event.message = message
  else {
    const error = errorIn(fields, message !== undefined && message !== null)
    if (error !== null) event.error = error
  }
  if (type === 'title_generation') event.title = titleIn(fields['title']) ?? ''
  if (isBlocked(fields['moderation_response'])) event.is_blocked = true
  if (type === 'message_stream_complete') event.is_complete = true
  if (typeof wss_url === 'string' && wss_url.length <= MAX_ADDRESS) event.wss_url = wss_url
  return event
}

const isBlocked = (moderation: unknown): boolean => isFields(moderation) && moderation['blocked'] === true
