import { requestAddress } from '#contract/settings.ts'
import { type Outbound, type OutboundAnswer, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { ofAttachments } from '../attachmentRefusal.ts'
import { withContextLimit } from '../contextLimit.ts'
import { keyHeaders } from '../endpoint.ts'
import type { Provider, ProviderAsk, ProviderEvent, ProviderUpstream, Question } from '../provider.ts'
import { reportLimits } from '../reportedLimits.ts'
import { refusalOfError, refusalOfFailure, UpstreamRefusal, refusalOfAnswer } from '../upstreamRefusal.ts'
import { answerReader, type ReadEnd } from './answerReader.ts'
import { type AnswerEnd, growingAnswer, type GrowingAnswer } from './growingAnswer.ts'
import { readModels, testEndpoint } from './modelList.ts'
import { afterRefusal, ANY_OUTPUT, type OutputAbility, outputFields } from './outputLimit.ts'
import { openRelay } from './relay/relay.ts'
import { spokenBy } from './relay/spoken.ts'
import { requestBody } from './requestBody.ts'
import { instructedAs, type InstructionRole, toUpstream } from './upstreamMessages.ts'

/**
 * Asks an endpoint for the next message of a thread. Resolves when it begins to answer; whatever it refuses with is
 * thrown as a refusal.
 */
type Complete = (asked: ProviderAsk, signal: AbortSignal) => Promise<OutboundAnswer>

const USAGE = { stream_options: { include_usage: true } }
/** Statuses of a request that is not understood, or wants something that is not there. */
const NOT_UNDERSTOOD = new Set([400, 404, 405, 406, 415, 422, 501])
/** Bytes of a refusal that are looked through for what was not understood, and for what it means. */
const MAX_REFUSAL = 20_000
/** Models of endpoints that are remembered; people may have their own. */
const MAX_MODELS = 500

/** What an endpoint can be asked for beside the answer itself. */
type Abilities = { streams: boolean; usage: boolean; instructs_as: InstructionRole; output: OutputAbility }
const ALL: Abilities = { streams: true, usage: true, instructs_as: 'system', output: ANY_OUTPUT }

/**
 * Answers are asked for as streams, which tell at their end how many tokens they took. Models that do not know the one
 * or the other are asked without it from then on.
 */
function openCompletions(outbound: Outbound): Complete {
  const known = new Map<string, Abilities>()

  function remember(model: string, abilities: Abilities): void {
    const [oldest] = known
    if (oldest !== undefined && known.size >= MAX_MODELS) known.delete(oldest[0])
    known.set(model, abilities)
  }

  return async (asked, signal) => {
    const { upstream } = asked
    const url = requestAddress(upstream.base_url, 'chat/completions')
    // One endpoint may stream one model and not another.
    const model = `${upstream.model_name} ${url}`
    const before = known.get(model) ?? ALL
    let abilities = before
    for (;;) {
      const response = await ask(outbound, url, asked, abilities, signal)
      reportLimits(asked, response)
      if (response.status >= 200 && response.status < 300) {
        // Not before: the endpoint may have refused for another reason.
        if (abilities !== before) remember(model, abilities)
        return response
      }
      const text = await response.body.text(MAX_REFUSAL).catch(() => '')
      response.body.destroy()
      const isInstructed = asked.thread[0]?.role === 'system'
      const sent = asked.question.max_output_tokens ?? null
      const fewer = NOT_UNDERSTOOD.has(response.status)
        ? withoutRefused(abilities, text, {
            isInstructed,
            sent: sent === null ? null : Math.min(sent, abilities.output.most),
          })
        : null
      if (fewer === null)
        throw ofAttachments(withContextLimit(refusalOfAnswer(response, text, upstream.model_name), text), text, asked)
      abilities = fewer
    }
  }
}

/** Without what a refusal names, in whatever words; null when it names nothing that can be left out. */
function withoutRefused(
  abilities: Abilities,
  refusal: string,
  { isInstructed, sent }: { isInstructed: boolean; sent: number | null },
): Abilities | null {
  const { streams, usage } = abilities
  const output = sent === null ? null : afterRefusal(abilities.output, refusal, sent)
  if (output !== null) return { ...abilities, output }
  if (streams && usage && /stream_options|include_usage/i.test(refusal)) return { ...abilities, usage: false }
  if (isInstructed && isAboutRole(refusal)) return withOtherRole(abilities, refusal)
  return streams && /(?<![a-z])stream(?!_options)/i.test(refusal)
    ? { ...abilities, streams: false, usage: false }
    : null
}

/** "does not support 'system' with this model", "System role not supported", "Developer instruction is not enabled". */
const isAboutRole = (refusal: string): boolean =>
  /\b(?:system|developer)\b.{0,60}\b(?:role|message|instruction|prompt)|\brole\b.{0,80}\b(?:system|developer)\b/is.test(
    refusal,
  )

function withOtherRole(abilities: Abilities, refusal: string): Abilities | null {
  if (abilities.instructs_as === 'user') return null
  const asDeveloper = abilities.instructs_as === 'system' && /\bdeveloper\b/i.test(refusal)
  return { ...abilities, instructs_as: asDeveloper ? 'developer' : 'user' }
}

function ask(
  outbound: Outbound,
  url: string,
  { question, thread, attached, upstream }: ProviderAsk,
  { streams, usage, instructs_as, output }: Abilities,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const total_timeout_ms = upstream.ask_timeout * 1000
  const fields = { ...upstream.request_fields, ...requestParameters(question, upstream) }
  const body = requestBody({
    ...fields,
    ...outputFields(question.max_output_tokens, output, fields),
    model: upstream.model_name,
    messages: instructedAs(instructs_as, toUpstream(thread, question.continues, attached)),
    stream: streams,
    ...(usage && USAGE),
  })
  return outbound.request({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: streams ? 'text/event-stream' : 'application/json',
      ...keyHeaders(upstream),
    },
    body,
    connect_timeout_ms: upstream.connect_timeout * 1000,
    // An answer that is not streamed comes when it is whole.
    first_byte_timeout_ms: streams ? upstream.first_token_timeout * 1000 : total_timeout_ms,
    keeps_first_byte_deadline: streams,
    idle_timeout_ms: streams ? upstream.read_timeout * 1000 : total_timeout_ms,
    total_timeout_ms,
    signal,
    proxy: upstream.proxy,
    addresses: upstream.addresses,
  })
}

/** How hard the model is to think is said in the fields that it knows. */
function requestParameters({ parameters }: Question, { thinking_fields }: ProviderUpstream): Record<string, unknown> {
  const { reasoning_effort, ...others } = parameters
  if (reasoning_effort === undefined) return others
  return { ...others, ...(thinking_fields?.[reasoning_effort] ?? { reasoning_effort }) }
}

/** Any OpenAI-compatible endpoint (the specification, section 1; docs/protocol.md). */
export function openaiApiProvider(outbound: Outbound): Provider {
  const complete = openCompletions(outbound)
  return {
    reply: (asked, emit, signal) => reply(complete, asked, emit, signal),
    relay: openRelay(outbound),
    dialects: (endpoint, signal) => spokenBy(outbound, endpoint, signal),
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
