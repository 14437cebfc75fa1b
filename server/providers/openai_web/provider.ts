import { textOf } from '#contract/messages.ts'
import {
  type AddressPolicy,
  type Outbound,
  type OutboundAnswer,
  OutboundFailure,
} from '#server/foundation/outbound/outbound.ts'
import type { Provider, ProviderAsk, ProviderEvent, ProviderUpstream } from '../provider.ts'
import { type DeadlineSettings, refusalOfFailure } from '../upstreamRefusal.ts'
import { readError } from '../upstreamErrors.ts'
import { askBody } from './askBody.ts'
import { conversationRefusal } from './conversationErrors.ts'
import { conversationFrames, SUBPROTOCOL } from './frames.ts'
import { codesOf } from './message.ts'
import { webPorts } from './ports.ts'
import { webAddress, webHeaders } from './reach.ts'
import { type End, refusalOf, replyReader, type ReplyReader } from './replyReader.ts'
import { refusalOfAnswer } from './request.ts'
import { webAnswer, type WebAnswer } from './webAnswer.ts'

/** Bytes of a refusal that are looked through for what it means. */
const MAX_REFUSAL = 20_000
/** Bytes of a frame: a whole message, in Base64. */
const MAX_FRAME = 24 * 1024 * 1024

/** The deadlines of an answer. */
const SETTINGS: DeadlineSettings = {
  connect: 'openai_web.common_timeout',
  first_byte: 'openai_web.ask_timeout',
  idle: 'openai_web.ask_timeout',
  total: 'openai_web.ask_timeout',
}

/** The web service, which keeps conversations itself (docs/protocol.md). */
export function openaiWebProvider(outbound: Outbound): Provider {
  return {
    reply: (asked, emit, signal) => reply(outbound, asked, emit, signal),
    ...webPorts(outbound),
  }
}

async function reply(
  outbound: Outbound,
  asked: ProviderAsk,
  emit: (event: ProviderEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const began = performance.now()
  const answer = webAnswer(toAsked(asked), emit)
  let response: OutboundAnswer | null = null
  try {
    response = await ask(outbound, asked, signal)
    const readAnew = (conversation_id: string | null) =>
      replyReader(answer, { conversation_id, most: asked.upstream.max_answer_length, signal }, emit)
    let read = await readBody(response, readAnew(null), answer)
    const { wss_url, conversation_id } = read.end
    if (wss_url !== null && conversation_id !== null && !answer.hasBegun() && !signal.aborted) {
      const total_timeout_ms = asked.upstream.ask_timeout * 1000 - (performance.now() - began)
      const wanted = { wss_url, conversation_id, total_timeout_ms, signal }
      read = await readSocket(outbound, asked.upstream, wanted, readAnew(conversation_id), answer)
    }
    if (signal.aborted) return
    answer.end()
    const { end, failure, hasLost } = read
    const ofConversation = end.error && conversationRefusal(end.error, response.status, asked.question)
    const refusal =
      ofConversation ?? refusalOf(end, answer, { response, hasLost, model_name: asked.upstream.model_name })
    // An answer that has said how it ends loses nothing when the connection ends badly.
    if (refusal !== null) throw failure !== null && end.error === null ? failure : refusal
  } catch (cause) {
    // A stop is no failure: what has arrived is the answer.
    if (signal.aborted) return
    throw cause instanceof OutboundFailure ? refusalOfFailure(cause, SETTINGS) : cause
  } finally {
    answer.flush()
    response?.body.destroy()
  }
}

/** How far an answer was read, and what broke it off. */
type Read = { end: End; failure: OutboundFailure | null; hasLost: boolean }

async function readBody({ body }: OutboundAnswer, reader: ReplyReader, answer: WebAnswer): Promise<Read> {
  const failure = await brokenOff(
    body.each(chunk => {
      const read = reader.take(chunk)
      if (answer.hasBegun()) body.useIdleDeadline()
      return read
    }),
  )
  return { end: reader.end(), failure, hasLost: false }
}

type Remote = { wss_url: string; conversation_id: string; total_timeout_ms: number; signal: AbortSignal }

/** The upstream answers by a WebSocket, at an address that it has named. */
async function readSocket(
  outbound: Outbound,
  upstream: ProviderUpstream,
  { wss_url, conversation_id, total_timeout_ms, signal }: Remote,
  reader: ReplyReader,
  answer: WebAnswer,
): Promise<Read> {
  const frames = conversationFrames(conversation_id, {
    take: reader.take,
    isWhole: () => answer.finish() === 'whole',
  })
  const failure = await brokenOff(
    outbound.webSocket(
      {
        url: wss_url,
        protocol: SUBPROTOCOL,
        max_bytes: MAX_FRAME,
        connect_timeout_ms: upstream.connect_timeout * 1000,
        idle_timeout_ms: upstream.read_timeout * 1000,
        total_timeout_ms: Math.max(0, total_timeout_ms),
        signal,
        proxy: upstream.web?.wss_proxy ?? null,
        addresses: addressesOf(wss_url, upstream),
      },
      frames.read,
    ),
  )
  return { end: reader.end(), failure, hasLost: frames.hasLost() }
}

/** The origin of the account itself is the administrator's choice. Any other is the upstream's, and has to be one of the internet. */
function addressesOf(wss_url: string, { base_url, web }: ProviderUpstream): AddressPolicy {
  const isOwn = URL.parse(wss_url.replace(/^ws/i, 'http'))?.origin === URL.parse(base_url)?.origin
  // Where there is a proxy the name may be one that only the proxy can look up.
  return isOwn || (web?.wss_proxy ?? null) !== null ? 'any' : { public_only: true, except: [] }
}

/** What the answer has to know of the ask. */
function toAsked({ question, thread, upstream }: ProviderAsk): Parameters<typeof webAnswer>[0] {
  const last = thread.at(-1)
  const asked = question.continues ? undefined : last
  const codeOf = codesOf(upstream.web?.model_code_mapping)
  return {
    question,
    question_id: asked?.id ?? null,
    text: asked === undefined ? '' : textOf(asked),
    parents: new Map(thread.map(({ id, parent }) => [id, parent])),
    codeOf: slug => (slug === upstream.model_name ? question.model : codeOf(slug)),
    most: upstream.max_answer_length,
  }
}

/** Resolves when the upstream begins to answer; whatever it refuses with is thrown as a refusal. */
async function ask(outbound: Outbound, asked: ProviderAsk, signal: AbortSignal): Promise<OutboundAnswer> {
  const { question, upstream } = asked
  const response = await outbound.request({
    method: 'POST',
    url: webAddress(upstream.base_url, 'conversation'),
    headers: {
      ...webHeaders(upstream),
      accept: 'text/event-stream',
      ...(question.arkose_token !== null && { 'openai-sentinel-arkose-token': question.arkose_token }),
    },
    body: JSON.stringify(askBody(asked)),
    connect_timeout_ms: upstream.connect_timeout * 1000,
    first_byte_timeout_ms: upstream.first_token_timeout * 1000,
    keeps_first_byte_deadline: true,
    idle_timeout_ms: upstream.read_timeout * 1000,
    total_timeout_ms: upstream.ask_timeout * 1000,
    signal,
    proxy: upstream.proxy,
    addresses: upstream.addresses,
  })
  if (response.status >= 200 && response.status < 300) return response
  const text = await response.body.text(MAX_REFUSAL).catch(() => '')
  response.body.destroy()
  throw (
    conversationRefusal(readError(text), response.status, question) ??
    refusalOfAnswer(response, text, upstream.model_name)
  )
}

/** What broke something off; null where it came to its end. */
async function brokenOff(done: Promise<void>): Promise<OutboundFailure | null> {
  try {
    await done
    return null
  } catch (cause) {
    if (cause instanceof OutboundFailure) return cause
    throw cause
  }
}
