import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Dialect } from '#contract/gateway.ts'
import { estimatedTokens } from '#server/asks/logStore.ts'
import { invalid } from '#server/foundation/refusal.ts'
import { CHAT } from './chat.ts'
import type { DialectForm, Fields } from './form.ts'
import { MESSAGES } from './messages.ts'
import { isFields, refuseNotOffered, withoutOmitted } from './notOffered.ts'
import { RESPONSES } from './responses.ts'

export const FORMS: Readonly<Record<Dialect, DialectForm>> = { chat: CHAT, responses: RESPONSES, messages: MESSAGES }

export type ToolRequest = {
  dialect: Dialect
  /** As it came, without what is never passed on. */
  body: Fields
  /** As the tool calls it. */
  model: string
  streamed: boolean
  /** It asks for vectors of texts in place of an answer. */
  embeddings: boolean
  input_tokens: number
  max_output: number | null
  /** The same for all requests of a conversation. */
  conversation: string
}

const MAX_MODEL = 200
/** Higher than any model goes. */
const MAX_OUTPUT = 100_000_000

/**
 * Reads what the portal needs of a request; what it does not know is passed on. Refuses by name what is not offered.
 */
export function readToolRequest(dialect: Dialect, given: unknown, headers: IncomingHttpHeaders): ToolRequest {
  if (!isFields(given)) throw invalid(['body'], 'Not a JSON object', 'invalid_type')
  const form = FORMS[dialect]
  const model = modelIn(given)
  const { stream } = given
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    throw invalid(['body', 'stream'], 'Neither true nor false', 'invalid_type')
  requireMessages(form, given)
  const body = withoutOmitted(dialect, given)
  refuseNotOffered(dialect, body)
  return {
    dialect,
    body: storedNowhere(dialect, body),
    model,
    streamed: stream === true,
    embeddings: false,
    input_tokens: inputTokens(body),
    max_output: maxOutput(form, body),
    conversation: conversationKey(form, body, headers),
  }
}

export function modelIn({ model }: Fields): string {
  if (typeof model !== 'string' || model === '' || model.length > MAX_MODEL)
    throw invalid(['body', 'model'], 'Not the name of a model', 'invalid_type')
  return model
}

function requireMessages(form: DialectForm, body: Fields): void {
  const messages = form.messages(body)
  const isText = form.dialect === 'responses' && typeof messages === 'string' && messages !== ''
  if (isText || (Array.isArray(messages) && messages.length > 0)) return
  const field = form.dialect === 'responses' ? 'input' : 'messages'
  throw invalid(['body', field], 'Holds nothing to answer', 'invalid_type')
}

/** The account is everybody's: nothing is to be kept there. */
function storedNowhere(dialect: Dialect, body: Fields): Fields {
  if (dialect === 'responses') return { ...body, store: false }
  return dialect === 'chat' && body['store'] === true ? { ...body, store: false } : body
}

function maxOutput({ maxOutput: fields }: DialectForm, body: Fields): number | null {
  for (const field of fields) {
    const most = body[field]
    if (most === undefined || most === null) continue
    if (typeof most !== 'number' || !Number.isInteger(most) || most < 1 || most > MAX_OUTPUT)
      throw invalid(['body', field], 'Not a number of tokens', 'invalid_type')
    return most
  }
  return null
}

/** Tokens. A picture in a request takes as many of most models, however many bytes it has. */
const OF_PICTURE = 1_500
/** Characters. Texts that are longer, and nothing but base64, are pictures or files. */
const MIN_BASE64 = 1_000
const BASE64 = /^(?:data:[\w./+-]+;base64,)?[\w+/=-]{1000}/

/** About as many as are sent: texts are counted, whatever field they stand in. */
export function inputTokens(value: unknown): number {
  if (typeof value === 'string')
    return value.length >= MIN_BASE64 && BASE64.test(value) ? OF_PICTURE : estimatedTokens(value)
  if (typeof value !== 'object' || value === null) return value === null ? 0 : 1
  const entries = Array.isArray(value) ? value.map(each => ['', each] as const) : Object.entries(value)
  return entries.reduce((sum, [name, each]) => sum + (name === '' ? 0 : 1) + inputTokens(each), 0)
}

/** Headers by which tools name a session. */
const SESSION_HEADERS = ['session-id', 'x-claude-code-session-id', 'x-session-id', 'x-session-affinity'] as const

/** What comes before the first answer is the same in each request of a conversation. */
const BEFORE_ANSWER: ReadonlySet<unknown> = new Set(['system', 'developer', 'user'])

function conversationKey(form: DialectForm, body: Fields, headers: IncomingHttpHeaders): string {
  const named = [...SESSION_HEADERS.map(name => headers[name]), body['prompt_cache_key']]
  const session = named.find(value => typeof value === 'string' && value !== '')
  const key = typeof session === 'string' ? session : beginningOf(form, body)
  return createHash('sha256').update(key).digest('base64url')
}

function beginningOf(form: DialectForm, body: Fields): string {
  const messages = form.messages(body)
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [{ role: 'user', content: messages }]
  const end = list.findIndex(each => !isFields(each) || !BEFORE_ANSWER.has(each['role']))
  return JSON.stringify([body['instructions'], body['system'], end < 0 ? list : list.slice(0, end)])
}
