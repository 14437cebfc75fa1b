import * as z from 'zod/mini'
import { type Outbound, type OutboundAnswer, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '../endpoint.ts'
import type { ErrorCodes } from '../errorCodes.ts'
import { parsedInTurns, type Fields, isFields } from '../looseJson.ts'
import type { Question } from '../provider.ts'
import { errorIn, isPage, readError, type UpstreamError } from '../upstreamErrors.ts'
import {
  refusalOfAnswer as refusalOf,
  refusalOfError,
  refusalOfFailure,
  UpstreamRefusal,
  type UpstreamReport,
} from '../upstreamRefusal.ts'
import { COMMON_SETTINGS, commonTimeout, webAddress, webHeaders } from './reach.ts'

export type WebRequest = {
  method: 'GET' | 'POST' | 'PATCH'
  /** Behind the base; ids in it by `pathPart`. */
  path: string
  query?: Record<string, string | number>
  body?: Readonly<Record<string, unknown>>
  /** Bytes; a longer answer is refused. */
  max_bytes?: number
}

/** `read` gives what the answer says; null where it does not say what was asked for, which is refused. */
export type AskWeb = <Answer>(
  endpoint: ProviderEndpoint,
  request: WebRequest,
  read: (answer: Fields) => Answer | null,
  signal: AbortSignal,
) => Promise<Answer>

/** Bytes of an answer that is a few fields. */
const SHORT_ANSWER = 256 * 1024
/** Bytes of an error that are read. */
const MAX_ERROR = 16 * 1024
/** An id of the upstream's that may stand in a path. */
const ID = /^(?!\.+$)[\w.~-]{1,200}$/

export const isWebId = (id: unknown): id is string => typeof id === 'string' && ID.test(id)

/** An id as a part of a path. One that leads elsewhere is nothing that the upstream has. */
export function pathPart(id: string): string {
  if (!isWebId(id)) throw new Refusal('openai.404', { status: 404 })
  return id
}

/**
 * Makes a request whose answer is an object of JSON, in at most `common_timeout` from beginning to end. All else is
 * refused as an ask would be: a status that promises nothing, a page in place of JSON, what is too long, a redirect,
 * which is never followed, because the token would go along.
 */
export function openWebRequests(outbound: Outbound): AskWeb {
  return async (endpoint, request, read, signal) => {
    let answer: OutboundAnswer | null = null
    try {
      answer = await send(outbound, endpoint, request, signal)
      if (answer.status < 200 || answer.status > 299) throw refusalOfRequest(request, answer, await beginningOf(answer))
      const text = await whole(answer, request.max_bytes ?? SHORT_ANSWER)
      const value = await parsedInTurns(text)
      const said = isFields(value) ? read(value) : null
      if (said === null) throw saidInstead(answer, text, value)
      return said
    } catch (cause) {
      throw cause instanceof OutboundFailure ? refusalOfFailure(cause, COMMON_SETTINGS) : cause
    } finally {
      answer?.body.destroy()
    }
  }
}

function send(
  outbound: Outbound,
  endpoint: ProviderEndpoint,
  { method, path, query, body }: WebRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const timeout_ms = commonTimeout(endpoint)
  return outbound.request({
    method,
    url: webAddress(endpoint.base_url, path, query),
    headers: { accept: 'application/json', ...webHeaders(endpoint) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    proxy: endpoint.proxy,
    addresses: endpoint.addresses,
    signal,
    connect_timeout_ms: timeout_ms,
    first_byte_timeout_ms: timeout_ms,
    idle_timeout_ms: timeout_ms,
    total_timeout_ms: timeout_ms,
  })
}

async function whole(answer: OutboundAnswer, max_bytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  await answer.body.each(chunk => {
    bytes += chunk.length
    if (bytes > max_bytes) throw unexpected(answer)
    chunks.push(chunk)
    return 'continue'
  })
  return Buffer.concat(chunks)
    .toString()
    .replace(/^\uFEFF/, '')
}

/** The error in an answer may end as it likes: its status says enough. */
const beginningOf = ({ body }: OutboundAnswer): Promise<string> => body.text(MAX_ERROR).catch(() => '')

function refusalOfRequest({ path }: WebRequest, answer: OutboundAnswer, text: string): Refusal {
  const isOfConversation = path.startsWith('conversation/')
  const unknown = isOfConversation ? unknownConversation(readError(text), answer.status) : null
  return unknown ?? refusalOfAnswer(answer, text)
}

/** The refusal for an answer whose status is no success. */
export function refusalOfAnswer(answer: OutboundAnswer, text: string, model_name?: string): Refusal {
  return reported(answer, refusalOf(answer, text, model_name))
}

/** With what kind of thing came. */
function reported(answer: OutboundAnswer, { key, values, cause }: Refusal): Refusal {
  const said = cause instanceof UpstreamRefusal ? cause.said : {}
  return new Refusal(key, values, { cause: new UpstreamRefusal({ ...said, ...reportOf(answer) }) })
}

/** A page, or an error, that came with a good status in place of what was asked for. */
function saidInstead(answer: OutboundAnswer, text: string, value: unknown): Refusal {
  if (isPage(text)) return refusalOfAnswer(answer, text)
  const error = errorIn(value, false)
  if (error === null) return unexpected(answer)
  const refusal = refusalOfError(error, { promised: answer.status, hasText: false })
  return refusal.key === 'openai.cutOff' ? unexpected(answer) : reported(answer, refusal)
}

/** For what came with a good status and is not what was asked for. */
const unexpected = (answer: OutboundAnswer): Refusal =>
  new Refusal('openai.unknown', { status: answer.status }, { cause: new UpstreamRefusal(reportOf(answer)) })

const reportOf = (answer: OutboundAnswer): UpstreamReport => ({
  status: answer.status,
  content_type: answer.header('content-type')?.slice(0, 100) ?? 'none',
})

/** That the account that is asked does not know a conversation, or may not see it. */
const UNKNOWN =
  /conversation_(?:not_found|inaccessible|deleted|unavailable|expired)|(?:can(?:['’]?t|not)|unable to|failed to) (?:load|find|access) (?:this |the )?conversation|no such conversation|conversation\b[^\n]{0,60}(?:not found|(?:does not|doesn['’]t|no longer) exist|deleted|inaccessible|not accessible|unavailable|belongs to another)|(?:对话|会话)[^\n]{0,40}(?:不存在|已删除|未找到|无权)|找不到[^\n]{0,10}(?:对话|会话)/
/** Other statuses are of the account, of the moment, or of its gateway. */
const STATUSES = new Set([200, 400, 403, 404, 409, 410, 422])

/** That a custom GPT is gone, private, or not for the account that is asked. */
const GIZMO =
  /gizmo|\b(?:this|custom|the) gpts?\b[^\n]{0,80}(?:not|no longer|n['’]t|deleted|removed|private|inaccessible|unavailable|disabled|restricted)|no access to (?:this|the) gpts?\b|(?:自定义|定制) ?gpts?[^\n]{0,40}(?:不存在|无权|不可用|删除)/

/**
 * The refusal for an error that says that the account does not know the conversation; null for any other. `promised`:
 * the status of HTTP.
 */
export function unknownConversation({ words, codes, status }: UpstreamError, promised: number): Refusal | null {
  const said = status ?? promised
  const isUnknown = said === 410 || (STATUSES.has(said) && (UNKNOWN.test(codes.code ?? '') || UNKNOWN.test(words)))
  return isUnknown ? refusalFor('conversationGone', said, codes) : null
}

/**
 * The refusal for an error of an ask that is about its conversation, and neither about the account nor about the
 * question; else null.
 */
export function conversationRefusal(
  error: UpstreamError,
  promised: number,
  question: Pick<Question, 'upstream_conversation_id' | 'extras'>,
): Refusal | null {
  const said = error.status ?? promised
  const { gizmo_id } = webExtrasOf(question)
  if (gizmo_id !== null && STATUSES.has(said) && GIZMO.test(`${error.codes.code ?? ''}\n${error.words}`))
    return refusalFor('customGptRefused', said, error.codes)
  return question.upstream_conversation_id === null ? null : unknownConversation(error, promised)
}

const refusalFor = (key: 'conversationGone' | 'customGptRefused', status: number, codes: ErrorCodes): Refusal =>
  new Refusal(key, {}, { cause: new UpstreamRefusal({ status, ...codes }) })

/** What goes with a question to a web account alone. */
const WebExtras = z.object({
  /** The plugins that a new conversation is begun with; none when the account has the conversation already. */
  plugin_ids: z._default(z.array(z.string()), []),
  /** The custom GPT that the conversation is had with; null where there is none. */
  gizmo_id: z._default(z.nullable(z.string()), null),
  /** What the person's browser has fetched. */
  arkose_token: z._default(z.nullable(z.string()), null),
})
export type WebExtras = z.infer<typeof WebExtras>

export const webExtrasOf = ({ extras }: Pick<Question, 'extras'>): WebExtras => WebExtras.parse(extras)
