import { type Outbound, type OutboundAnswer, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import type { Provider, ProviderAsk, ProviderEvent } from '../provider.ts'
import { refusalOfFailure } from '../upstreamRefusal.ts'
import { refusalOf, storedEnd } from './answerEnd.ts'
import { answerReader } from './answerReader.ts'
import { type Complete, openCompletions } from './completions.ts'
import { growingAnswer } from './growingAnswer.ts'
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
    const refusal = refusalOf(end, answer, response)
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
