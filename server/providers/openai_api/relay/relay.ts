import { type Outbound, type OutboundAnswer, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { withContextLimit } from '../../contextLimit.ts'
import { silenceBound } from '../../eventStream.ts'
import { parsedInTurns } from '../../looseJson.ts'
import type { ProviderRelay } from '../../provider.ts'
import { type Metered, relayKind } from '../../relay.ts'
import { reportLimits } from '../../reportedLimits.ts'
import { bodyBeginning, readError, type UpstreamError } from '../../upstreamErrors.ts'
import { refusalOfAnswer, refusalOfError, refusalOfFailure, UpstreamRefusal } from '../../upstreamRefusal.ts'
import { afterRefusal, ANY_OUTPUT } from '../outputLimit.ts'
import { answerMeter } from './answerMeter.ts'
import { eventSplitter } from './events.ts'
import { openPassing } from './passing.ts'
import { passRefusal } from './refused.ts'
import { addsUsage, boundOf, type RelayAbilities, relayAddress, sendOn } from './request.ts'

/** Bytes of one event, which may bring a picture, and of an answer that is not streamed. */
const MAX_EVENT = 16 * 1024 * 1024
const MAX_DOCUMENT = 32 * 1024 * 1024
/** Bytes of a refusal. */
const MAX_REFUSAL = 64_000
/** How an upstream says that it has no vectors, or none of this model. Nothing is wrong with the account. */
const HAS_NONE: ReadonlySet<number> = new Set([403, 404, 405, 501])
/** Models of endpoints that are remembered. */
const MAX_MODELS = 500
const ALL: RelayAbilities = { usage: true, output: ANY_OUTPUT }

/** Passes requests of other tools on, in the dialect in which they come. */
export function openRelay(outbound: Outbound) {
  const send = openSending(outbound)
  return async (asked: ProviderRelay, meter: (seen: Metered) => void, signal: AbortSignal): Promise<void> => {
    let response: OutboundAnswer | null = null
    try {
      response = await send(asked, signal)
      const isDocument = !asked.streamed || response.header('content-type')?.includes('json') === true
      if (isDocument) await passDocument(response, asked, meter, signal)
      else await passEvents(response, asked, meter, signal)
    } catch (cause) {
      // A stop is no failure: what has passed is the answer.
      if (signal.aborted) return
      throw cause instanceof OutboundFailure ? refusalOfFailure(cause) : cause
    } finally {
      response?.body.destroy()
    }
  }
}

/**
 * Resolves when the upstream begins to answer. What is asked for beside the tool's own fields is left out from then on
 * where it is not understood.
 */
function openSending(outbound: Outbound) {
  const known = new Map<string, RelayAbilities>()

  function remember(model: string, abilities: RelayAbilities): void {
    const [oldest] = known
    if (oldest !== undefined && known.size >= MAX_MODELS) known.delete(oldest[0])
    known.set(model, abilities)
  }

  return async (asked: ProviderRelay, signal: AbortSignal): Promise<OutboundAnswer> => {
    const { upstream, form } = asked
    const model = `${upstream.model_name} ${relayAddress(upstream, relayKind(form))}`
    const before = known.get(model) ?? ALL
    let abilities = before
    for (;;) {
      const response = await sendOn(outbound, asked, abilities, signal)
      reportLimits(asked, response)
      if (response.status >= 200 && response.status < 300) {
        if (abilities !== before) remember(model, abilities)
        return response
      }
      const text = await response.body.text(MAX_REFUSAL).catch(() => '')
      response.body.destroy()
      const fewer = withoutRefused(asked, abilities, response.status, text)
      if (fewer === null) {
        if (form.embeddings === true && HAS_NONE.has(response.status)) throw new Refusal('dialectNotSpoken')
        const refusal = withContextLimit(refusalOfAnswer(response, text, upstream.model_name), text)
        passRefusal(form.to, response, text, refusal, upstream)
        throw refusal
      }
      abilities = fewer
    }
  }
}

/** Without what a refusal names of our own fields; null where it is about something else. */
function withoutRefused(
  asked: ProviderRelay,
  abilities: RelayAbilities,
  status: number,
  text: string,
): RelayAbilities | null {
  if (status !== 400 && status !== 422) return null
  const bound = boundOf(asked, abilities)
  const output = bound === null ? null : afterRefusal(abilities.output, text, bound)
  if (output !== null) return { ...abilities, output }
  if (abilities.usage && addsUsage(asked) && /stream_options|include_usage/i.test(text))
    return { ...abilities, usage: false }
  return null
}

/** Passes a stream on, event by event. */
async function passEvents(
  response: OutboundAnswer,
  asked: ProviderRelay,
  meter: (seen: Metered) => void,
  signal: AbortSignal,
): Promise<void> {
  const { body } = response
  const splitter = eventSplitter()
  const counting = answerMeter(relayKind(asked.form))
  const passing = openPassing(asked.form.to, response)
  const silence = silenceBound()
  const beginning = bodyBeginning()
  let error: UpstreamError | null = null
  let is_over = false

  /** Passes on what comes before an error, or up to the last event. */
  function take(events: readonly Buffer[]): number {
    const passed: Buffer[] = []
    let unknown_events = 0
    for (const event of events) {
      const passage = counting.takeEvent(event)
      if (!passage.is_known) unknown_events += 1
      error = passage.error
      if (error !== null) break
      passed.push(event)
      is_over = passage.is_last
      if (is_over) break
    }
    // It is counted before anybody has it.
    if (passed.length > 0) meter(counting.seen())
    passing.pass(passed)
    return unknown_events
  }

  const failure = await body
    .each(bytes => {
      beginning.take(bytes)
      if (beginning.isPage()) return 'cancel'
      const length = counting.length()
      const unknown_events = take(splitter.take(bytes))
      if (counting.hasOutput()) body.useIdleDeadline()
      silence.note({ bytes: bytes.length, unknown_events, says: counting.length() > length })
      if (splitter.heldBytes() > MAX_EVENT) throw new Refusal('openai.unknown', { reason: 'line' })
      if (counting.length() > asked.upstream.max_answer_length) throw new Refusal('openai.cutOff', { reason: 'length' })
      if (error !== null) return 'cancel'
      return is_over ? 'done' : 'continue'
    })
    .then(() => null, outboundFailure)
  if (signal.aborted) return
  const rest = is_over || error !== null || beginning.isPage() ? null : splitter.remainder()
  if (rest !== null) take([rest])
  await passing.taken(signal)
  const said = beginning.isPage() ? readError(beginning.text()) : error
  if (said !== null) throw refusalWithin(said, response, counting.hasOutput(), asked)
  if (counting.isWhole()) return
  if (failure !== null) throw failure
  throw cutOff(response, counting.isKnown() || passing.hasBegun())
}

/** Passes an answer on that is not streamed, when all of it is there: until then it may still be an error. */
async function passDocument(
  response: OutboundAnswer,
  asked: ProviderRelay,
  meter: (seen: Metered) => void,
  signal: AbortSignal,
): Promise<void> {
  const { body } = response
  body.useTotalDeadlineOnly()
  const pieces: Uint8Array[] = []
  let length = 0
  await body.each(bytes => {
    length += bytes.length
    if (length > MAX_DOCUMENT) throw new Refusal('openai.unknown', { reason: 'line' })
    pieces.push(bytes)
    return 'continue'
  })
  const bytes = Buffer.concat(pieces)
  const text = bytes.toString()
  const document = await parsedInTurns(text)
  const counting = answerMeter(relayKind(asked.form))
  const error = document === undefined ? readError(text) : counting.takeDocument(document)
  if (document === undefined && error?.page === null) throw cutOff(response, false)
  if (error !== null) throw refusalWithin(error, response, false, asked)
  if (signal.aborted) return
  meter(counting.seen())
  const passing = openPassing(asked.form.to, response)
  passing.pass([bytes])
  await passing.taken(signal)
}

function outboundFailure(cause: unknown): OutboundFailure {
  if (cause instanceof OutboundFailure) return cause
  throw cause
}

function refusalWithin(
  error: UpstreamError,
  response: OutboundAnswer,
  hasText: boolean,
  { upstream: { model_name } }: ProviderRelay,
): Refusal {
  const content_type = response.header('content-type')
  const refusal = refusalOfError(error, { promised: response.status, hasText, content_type, model_name })
  return withContextLimit(refusal, JSON.stringify(error.value))
}

/** The answer ended without saying that it is whole; `isKnown`: something of the dialect has come. */
function cutOff({ status, header }: OutboundAnswer, isKnown: boolean): Refusal {
  const content_type = header('content-type')?.slice(0, 100) ?? 'none'
  const cause = new UpstreamRefusal({ status, content_type, finish_reason: 'none' })
  return isKnown
    ? new Refusal('openai.cutOff', { reason: 'end_of_body' }, { cause })
    : new Refusal('chatgptResponseError', {}, { cause })
}
