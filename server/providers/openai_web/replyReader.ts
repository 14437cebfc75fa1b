import type { OutboundAnswer, ReaderSignal } from '#server/foundation/outbound/exchange.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { eventReader } from '../eventStream.ts'
import type { ProviderEvent } from '../provider.ts'
import { readError, type UpstreamError } from '../upstreamErrors.ts'
import { refusalOfError, UpstreamRefusal } from '../upstreamRefusal.ts'
import type { WebAnswer } from './webAnswer.ts'
import { readEvent, type WebEvent } from './webEvents.ts'

/** Characters of an event that are none of the text. */
const AROUND = 4 * 1024 * 1024
/** A character may take six in JSON. */
const WIDEST = 6
/** Bytes of one answer, with all the repetition that there is in it. */
const MOST = 4 * 1024 ** 3

/** What is known of how an answer ended. */
type End = {
  error: UpstreamError | null
  is_blocked: boolean
  is_done: boolean
  is_known: boolean
  wss_url: string | null
}

/** Reads the events of an answer, however they come, into the answer. */
export function replyReader(answer: WebAnswer, most: number, emit: (event: ProviderEvent) => void) {
  const longest = WIDEST * most + AROUND
  const events = eventReader({ longest, most_of_document: longest })
  const end: End = { error: null, is_blocked: false, is_done: false, is_known: false, wss_url: null }
  let conversation_id: string | null = null
  let bytes = 0

  function read(given: readonly string[]): void {
    for (const text of given) {
      const event = readEvent(text)
      if (event !== null) note(event, text.length)
      if (end.error !== null) return
    }
  }

  function note(event: WebEvent, length: number): void {
    if (event.conversation_id !== undefined) {
      end.is_known = true
      if (conversation_id === null) emit({ type: 'conversation', upstream_conversation_id: event.conversation_id })
      conversation_id ??= event.conversation_id
    }
    if (event.message !== undefined) answer.take(event.message, length)
    if (event.title !== undefined && event.title !== '') emit({ type: 'title', title: event.title })
    if (event.is_blocked === true) end.is_blocked = true
    if (event.wss_url !== undefined) end.wss_url = event.wss_url
    if (event.error !== undefined) end.error = event.error
  }

  function take(chunk: Uint8Array): ReaderSignal {
    bytes += chunk.length
    read(events.take(chunk))
    if (end.error !== null || events.error() !== null || answer.isFull() || bytes > MOST) return 'cancel'
    return events.isDone() ? 'done' : 'continue'
  }

  return {
    take,
    /** Whether anything of the answer has come. */
    hasBegun: answer.hasBegun,
    /** Whether it says itself that it is over, or is over for us. */
    isWhole: () => end.error !== null || answer.isFull() || events.isDone() || answer.finish() === 'whole',
    /** Nothing more comes: why the answer is not a whole one; null for one that is. */
    end(response: OutboundAnswer): Refusal | null {
      if (end.error === null) read(events.end())
      const document = events.document()
      if (document !== null && end.error === null) read([document])
      const error = events.error()
      if (error !== null) end.error ??= readError(error)
      end.is_done = events.isDone()
      return refusalOf(end, answer, response)
    },
  }
}

function refusalOf(
  { error, is_blocked, is_done, is_known }: End,
  answer: WebAnswer,
  response: OutboundAnswer,
): Refusal | null {
  // The log tells whoever runs the portal what came instead, such as a proxy's page.
  const cause = new UpstreamRefusal({
    status: response.status,
    content_type: response.header('content-type')?.slice(0, 100) ?? 'none',
    finish_reason: answer.finish() ?? 'none',
  })
  if (error !== null) return refusalOfError(error, response.status, answer.hasText())
  if (is_blocked) return new Refusal('openai.contentFilter', {}, { cause })
  if (answer.finish() === 'broken') return new Refusal('openai.cutOff', { reason: 'finish_reason' }, { cause })
  const isWhole = answer.isFull() || is_done || answer.finish() === 'whole'
  if (isWhole && answer.hasText()) return null
  if (isWhole || (!is_known && !answer.hasBegun())) return new Refusal('chatgptResponseError', {}, { cause })
  return new Refusal('openai.cutOff', { reason: 'end_of_body' }, { cause })
}
