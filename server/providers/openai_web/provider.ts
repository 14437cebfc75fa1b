import { webFileIn, webFilePointer } from '#contract/files.ts'
import { textOf, attachmentsOf, type ImagePart, type Message } from '#contract/messages.ts'
import { newId } from '#server/foundation/ids.ts'
import type { ReaderSignal } from '#server/foundation/outbound/answer.ts'
import {
  type AddressPolicy,
  type Outbound,
  type OutboundAnswer,
  OutboundFailure,
  type FrameReader,
} from '#server/foundation/outbound/outbound.ts'
import { silenceBound } from '../eventStream.ts'
import { fieldOf, isFields, parsed } from '../looseJson.ts'
import type { Provider, ProviderAsk, ProviderEvent, ProviderUpstream } from '../provider.ts'
import { readError } from '../upstreamErrors.ts'
import { reportLimits } from '../reportedLimits.ts'
import { type DeadlineSettings, refusalOfFailure } from '../upstreamRefusal.ts'
import { codesOf } from './message.ts'
import { webPorts } from './ports.ts'
import { webAddress, webHeaders } from './reach.ts'
import { type End, refusalOf, replyReader, type ReplyReader } from './replyReader.ts'
import { type WebExtras, webExtrasOf, conversationRefusal, refusalOfAnswer } from './request.ts'
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
type ReplyRead = { end: End; failure: OutboundFailure | null; hasLost: boolean }

async function readBody({ body }: OutboundAnswer, reader: ReplyReader, answer: WebAnswer): Promise<ReplyRead> {
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
): Promise<ReplyRead> {
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

/**
 * The origin of the account itself is the administrator's choice. Any other is the upstream's, and has to be one of the
 * internet.
 */
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
  const { arkose_token } = webExtrasOf(question)
  const response = await outbound.request({
    method: 'POST',
    url: webAddress(upstream.base_url, 'conversation'),
    headers: {
      ...webHeaders(upstream),
      accept: 'text/event-stream',
      ...(arkose_token !== null && { 'openai-sentinel-arkose-token': arkose_token }),
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
  reportLimits(asked, response)
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

/** What a web account is asked with. It keeps the conversation itself, so that only the question goes there. */
export function askBody({ question, thread, upstream }: ProviderAsk): Record<string, unknown> {
  const last = thread.at(-1)
  const asked = question.continues ? undefined : last
  const { plugin_ids, gizmo_id, arkose_token } = webExtrasOf(question)
  const isNew = question.upstream_conversation_id === null
  return {
    action: question.continues ? 'continue' : 'next',
    arkose_token,
    conversation_id: question.upstream_conversation_id,
    conversation_mode: modeOf(gizmo_id),
    force_paragen: false,
    force_rate_limit: false,
    history_and_training_disabled: false,
    messages: asked === undefined ? null : [toUpstream(asked)],
    model: upstream.model_name,
    // The first message stands under a root that nobody knows yet.
    parent_message_id: (question.continues ? last?.id : last?.parent) ?? newId(),
    plugin_ids: isNew && plugin_ids.length > 0 ? plugin_ids : null,
    suggestions: [],
    timezone_offset_min: null,
  }
}

/** A conversation that was had with a custom GPT goes on with it. */
const modeOf = (gizmo_id: WebExtras['gizmo_id']) =>
  gizmo_id === null ? { kind: 'primary_assistant', gizmo: null } : { kind: 'gizmo_interaction', gizmo_id }

/** The question, with its pictures and files. */
function toUpstream(message: Message) {
  const images = imagesOf(message)
  const files = attachmentsOf(message)
  const text = textOf(message)
  return {
    id: message.id,
    author: { role: 'user' },
    content:
      images.length === 0
        ? { content_type: 'text', parts: [text] }
        : { content_type: 'multimodal_text', parts: [...images.map(pictured), text] },
    metadata: files.length > 0 ? { attachments: files } : {},
  }
}

const imagesOf = ({ content }: Message): ImagePart[] =>
  content?.content_type === 'multimodal_text' ? content.parts.filter(part => typeof part !== 'string') : []

/** Older clients write one scheme for both forms of ids. */
function pictured(part: ImagePart): ImagePart {
  const id = webFileIn(part.asset_pointer)
  return {
    ...part,
    content_type: 'image_asset_pointer',
    asset_pointer: id === null ? part.asset_pointer : webFilePointer(id),
  }
}

/** What Azure calls its protocol whose frames are acknowledged. */
const SUBPROTOCOL = 'json.reliable.webpubsub.azure.v1'

const ACKNOWLEDGE_EACH = 11
const END_OF_LINE = Buffer.from('\n\n')
/** Milliseconds that more is waited for after an answer has said that it is whole: its end, and a title. */
const AFTER_WHOLE = 5_000

type Taking = {
  /** Reads bytes of the stream of events. */
  take(bytes: Uint8Array): ReaderSignal
  /** Whether the answer has said that it is whole. */
  isWhole(): boolean
}

/**
 * Reads the frames of one conversation, each with a line of the stream of events, and acknowledges what comes. Frames
 * that come again are ignored, and those that never came are noticed.
 */
function conversationFrames(conversation_id: string, { take, isWhole }: Taking) {
  let last = 0
  let unacknowledged = 0
  let hasLost = false
  const silence = silenceBound()

  const read: FrameReader = (frame, socket) => {
    const fields = parsed(frame)
    silence.note({ bytes: 0, unknown_events: isFields(fields) ? 0 : 1, says: false })
    const sequence = fieldOf(fields, 'sequenceId')
    if (typeof sequence === 'number' && Number.isSafeInteger(sequence)) {
      if (sequence <= last) return 'continue'
      hasLost ||= last > 0 && sequence > last + 1
      last = sequence
      unacknowledged += 1
    }
    const signal = readData(fieldOf(fields, 'data'))
    if (unacknowledged >= ACKNOWLEDGE_EACH || (signal !== 'continue' && unacknowledged > 0)) {
      socket.send(JSON.stringify({ type: 'sequenceAck', sequenceId: last }))
      unacknowledged = 0
    }
    if (isWhole()) socket.setIdleTimeout(AFTER_WHOLE)
    return signal
  }

  function readData(data: unknown): ReaderSignal {
    if (!isFields(data) || data['conversation_id'] !== conversation_id) return 'continue'
    const { body } = data
    if (typeof body !== 'string') return 'continue'
    return take(Buffer.concat([Buffer.from(body, 'base64'), END_OF_LINE]))
  }

  return { read, hasLost: () => hasLost }
}
