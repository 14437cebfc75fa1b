import { isRecord } from '../foundation/http.ts'
import type { UpstreamRefusal } from '../foundation/upstream.ts'
import { type Content, pictureRefusal, readContent } from './content.ts'

type ChatMessage = Content & { role: string }

/** The parts of a completion request that this upstream reads. */
export type ChatRequest = {
  model: string
  messages: ChatMessage[]
  stream: boolean
  include_usage: boolean
  stop: string[]
  max_tokens: number | undefined
}

const invalid = (message: string, param: string | null, code: string | null = null): UpstreamRefusal => ({
  status: 400,
  message,
  type: 'invalid_request_error',
  param,
  code,
})

/** Reads a completion request as strictly as the real upstream does. */
export function readChatRequest(body: unknown): ChatRequest | { refusal: UpstreamRefusal } {
  if (!isRecord(body)) return { refusal: invalid('We could not parse the JSON body of your request.', null) }
  const { model, messages } = body
  if (typeof model !== 'string' || model === '') return { refusal: invalid('you must provide a model parameter', null) }
  if (model.startsWith('missing')) {
    const message = `The model \`${model}\` does not exist or you do not have access to it.`
    return { refusal: { status: 404, message, type: 'invalid_request_error', param: null, code: 'model_not_found' } }
  }
  if (!Array.isArray(messages)) {
    return { refusal: invalid("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter') }
  }
  if (messages.length === 0) {
    return {
      refusal: invalid(
        "Invalid 'messages': empty array. Expected an array with minimum length 1.",
        'messages',
        'empty_array',
      ),
    }
  }
  const read: ChatMessage[] = []
  for (const [index, message] of messages.entries()) {
    const found = readMessage(message)
    if (!found)
      return { refusal: invalid(`Invalid value for 'messages[${index}]'.`, `messages[${index}]`, 'invalid_value') }
    read.push(found)
  }
  const unseen = pictureRefusal(
    model,
    read.reduce((count, { pictures }) => count + pictures.length, 0),
  )
  if (unseen !== null) return { refusal: invalid(unseen, 'messages.[0].content.[1].type') }
  return {
    model,
    messages: read,
    stream: body.stream === true,
    include_usage: isRecord(body.stream_options) && body.stream_options.include_usage === true,
    stop: [body.stop]
      .flat()
      .filter((word): word is string => typeof word === 'string' && word !== '')
      .slice(0, 4),
    max_tokens: [body.max_completion_tokens, body.max_tokens].find(isCount),
  }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && value > 0

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

function readMessage(message: unknown): ChatMessage | undefined {
  if (!isRecord(message) || typeof message.role !== 'string' || !ROLES.has(message.role)) return undefined
  const { role, content } = message
  if (content === null && role === 'assistant') return { role, text: '', pictures: [], documents: [] }
  const read = readContent(content)
  return read && { role, ...read }
}

/** The refusal of a request for something the upstream cannot do beside the answer. */
export function refusalOf(
  fault: { kind: string },
  { stream, include_usage }: ChatRequest,
): UpstreamRefusal | undefined {
  if (fault.kind === 'no_stream' && stream)
    return invalid('Streaming is not available for this model.', 'stream', 'unsupported_value')
  if (fault.kind === 'no_usage' && include_usage)
    return invalid('Unrecognized request argument supplied: stream_options', null)
  return undefined
}
