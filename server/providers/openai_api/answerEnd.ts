import type { OutboundAnswer } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { refusalOfError, UpstreamRefusal } from '../upstreamRefusal.ts'
import type { ReadEnd } from './answerReader.ts'
import type { GrowingAnswer } from './growingAnswer.ts'
import type { AnswerEnd } from './messages.ts'

/** What is stored of an end. An answer that was too long ends for that reason, whatever its endpoint would have said. */
export function storedEnd({ finish, usage, sources }: ReadEnd, isFull: boolean): AnswerEnd {
  return { finish_reason: isFull ? 'length' : (finish?.reason ?? null), usage, sources }
}

/**
 * Why an answer is not a whole one; null for one that is. Whole is what ends in a way that is known to be good, and what is said to be over
 * without any reason, if there is something to be seen of it.
 */
export function refusalOf(
  { finish, error, is_complete, is_known }: ReadEnd,
  answer: GrowingAnswer,
  response: OutboundAnswer,
): Refusal | null {
  // The log tells whoever runs the portal what came instead: a proxy's page, an answer of tool calls alone.
  const cause = new UpstreamRefusal({
    status: response.status,
    content_type: response.header('content-type')?.slice(0, 100) ?? 'none',
    finish_reason: finish === null ? 'none' : (finish.reason ?? 'odd'),
  })
  if (error !== null) return refusalOfError(error, response.status, answer.hasText())
  if (finish?.kind === 'filtered') return new Refusal('openai.contentFilter', {}, { cause })
  const isWhole = answer.isFull() || finish?.kind === 'whole' || (finish === null && is_complete)
  if (isWhole && answer.hasText()) return null
  if (isWhole && answer.hasAnything()) return new Refusal('openai.thoughtsOnly', {}, { cause })
  if (isWhole || (!is_known && !answer.hasAnything())) return new Refusal('chatgptResponseError', {}, { cause })
  return new Refusal('openai.cutOff', { reason: finish === null ? 'end_of_body' : 'finish_reason' }, { cause })
}
