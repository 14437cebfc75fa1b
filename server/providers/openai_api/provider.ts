import { type Outbound, type OutboundAnswer, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Provider, ProviderAsk, ProviderEvent } from '../provider.ts'
import { ofAttachments } from '../attachmentRefusal.ts'
import { withContextLimit } from '../contextLimit.ts'
import { refusalOfError, refusalOfFailure, UpstreamRefusal } from '../upstreamRefusal.ts'
import { answerReader, type ReadEnd } from './answerReader.ts'
import { type Complete, openCompletions } from './completions.ts'
import { type AnswerEnd, growingAnswer, type GrowingAnswer } from './growingAnswer.ts'
import { readModels, testEndpoint } from './modelList.ts'

/** Any OpenAI-compatible endpoint (the specification, section 1; docs/protocol.md). */
export function openaiApiProvider(outbound: Outbound): Provider {
  const complete = openCompletions(outbound)
  return {
    reply: (asked, emit, signal) => reply(complete, asked, emit, signal),
    models: (endpoint, signal) => readModels(outbound, endpoint, signal),
    test: (endpoint, signal) => testEndpoint(outbound, endpoint, signal),
  }
}

async function reply(
  complete: Complete,
  asked: ProviderAsk,
  emit: (event: ProviderEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { question, upstream } = asked
  const answer = growingAnswer(question, upstream.max_answer_length, emit)
  let response: OutboundAnswer | null = null
  try {
    response = await complete(asked, signal)
    const reader = answerReader(answer, upstream.max_answer_length)
    const failure = await readBody(response, reader)
    if (signal.aborted) return
    const end = reader.end()
    answer.end(storedEnd(end, answer.isFull()))
    // An answer that has said how it ends loses nothing when the connection ends badly, or not at all.
    if (failure !== null && end.finish === null && end.error === null && !end.is_complete) throw failure
    const refusal = refusalOf(end, answer, response, asked)
    if (refusal !== null) throw refusal
  } catch (cause) {
    // A stop is no failure: what has arrived is the answer.
    if (signal.aborted) return
    throw cause instanceof OutboundFailure ? refusalOfFailure(cause) : cause
  } finally {
    answer.endThinking()
    response?.body.destroy()
  }
}

/** Reads as far as the body goes; gives what broke it off. */
async function readBody(
  { body, header }: OutboundAnswer,
  reader: ReturnType<typeof answerReader>,
): Promise<OutboundFailure | null> {
  const isDocument = header('content-type')?.includes('json') === true
  // It comes when it is whole, so that only the deadline for all of it counts.
  if (isDocument) body.useTotalDeadlineOnly()
  try {
    await body.each(chunk => {
      const signal = reader.take(chunk)
      if (reader.hasBegun()) body.useIdleDeadline()
      else if (reader.isDocument()) body.useTotalDeadlineOnly()
      return signal
    })
    return null
  } catch (cause) {
    if (cause instanceof OutboundFailure) return cause
    throw cause
  }
}

/**
 * What is stored of an end. An answer that was too long ends for that reason, whatever its endpoint would have said.
 */
function storedEnd({ finish, usage, sources }: ReadEnd, isFull: boolean): AnswerEnd {
  return { finish_reason: isFull ? 'length' : (finish?.reason ?? null), usage, sources }
}

/**
 * Why an answer is not a whole one; null for one that is. Whole is what ends in a way that is known to be good, and
 * what is said to be over without any reason, if there is something to be seen of it.
 */
function refusalOf(
  { finish, error, is_complete, is_known }: ReadEnd,
  answer: GrowingAnswer,
  response: OutboundAnswer,
  asked: ProviderAsk,
): Refusal | null {
  const { model_name } = asked.upstream
  // The log tells whoever runs the portal what came instead: a proxy's page, an answer of tool calls alone.
  const cause = new UpstreamRefusal({
    status: response.status,
    content_type: response.header('content-type')?.slice(0, 100) ?? 'none',
    finish_reason: finish === null ? 'none' : (finish.reason ?? 'odd'),
  })
  if (error !== null) {
    const content_type = response.header('content-type')
    const within = { promised: response.status, hasText: answer.hasText(), content_type, model_name }
    const text = JSON.stringify(error.value)
    return ofAttachments(withContextLimit(refusalOfError(error, within), text), text, asked)
  }
  if (finish?.kind === 'filtered') return new Refusal('openai.contentFilter', {}, { cause })
  const isWhole = answer.isFull() || finish?.kind === 'whole' || (finish === null && is_complete)
  if (isWhole && answer.hasText()) return null
  if (isWhole && answer.hasAnything())
    return new Refusal(answer.hasThoughts() ? 'openai.thoughtsOnly' : 'openai.noVisibleText', {}, { cause })
  if (isWhole || (!is_known && !answer.hasAnything())) return new Refusal('chatgptResponseError', {}, { cause })
  return new Refusal('openai.cutOff', { reason: finish === null ? 'end_of_body' : 'finish_reason' }, { cause })
}
