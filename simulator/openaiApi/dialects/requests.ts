import { isRecord } from '../../foundation/http.ts'
import type { UpstreamRefusal } from '../../foundation/upstream.ts'
import { type ChatRequest, readChatRequest } from '../request.ts'

type Read = ChatRequest | { refusal: UpstreamRefusal }

const missing = (param: string): Read => ({
  refusal: { status: 400, message: `${param}: Field required`, type: 'invalid_request_error', param, code: null },
})

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Reads a request of responses as one of chat completions. */
export function readResponsesRequest(body: unknown): Read {
  if (!isRecord(body) || typeof body.model !== 'string') return missing('model')
  const { input, instructions } = body
  if (input === undefined) return missing('input')
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input)
  const first = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
  return readChatRequest({
    ...{ model: body.model, stream: body.stream, max_tokens: body.max_output_tokens },
    messages: [...first, ...items.flatMap(itemAsMessage)],
  })
}

function itemAsMessage(item: unknown): object[] {
  if (!isRecord(item)) return []
  if (item.type === 'function_call_output') return [{ role: 'tool', content: partsOf(item.output) }]
  return typeof item.role === 'string' ? [{ role: item.role, content: partsOf(item.content) }] : []
}

/** Reads a request of messages as one of chat completions. */
export function readMessagesRequest(body: unknown): Read {
  if (!isRecord(body) || typeof body.model !== 'string') return missing('model')
  if (typeof body.max_tokens !== 'number') return missing('max_tokens')
  if (!Array.isArray(body.messages)) return missing('messages')
  const first = body.system === undefined ? [] : [{ role: 'system', content: partsOf(body.system) }]
  const others = body.messages.filter(isRecord).flatMap(asMessages)
  return readChatRequest({
    ...{ model: body.model, stream: body.stream, max_tokens: body.max_tokens, stop: body.stop_sequences },
    messages: [...first, ...others],
  })
}

/** Results of tools stand in messages of their own, behind what is said beside them. */
function asMessages({ role, content }: Record<string, unknown>): object[] {
  const parts = listOf(content).filter(isRecord)
  const results = parts.filter(({ type }) => type === 'tool_result')
  const said = results.length === 0 ? content : parts.filter(part => !results.includes(part))
  const isEmpty = results.length > 0 && results.length === parts.length
  return [
    ...(isEmpty ? [] : [{ role, content: partsOf(said) }]),
    ...results.map(result => ({ role: 'tool', content: partsOf(result.content) })),
  ]
}

const partsOf = (content: unknown): unknown =>
  typeof content === 'string' ? content : listOf(content).filter(isRecord).map(partOf)

function partOf(part: Record<string, unknown>): object {
  const { type, text, image_url, source } = part
  if (typeof text === 'string') return { type: 'text', text }
  if (type === 'input_image') return { type: 'image_url', image_url: { url: image_url } }
  if (type === 'image' && isRecord(source))
    return { type: 'image_url', image_url: { url: `data:${String(source.media_type)};base64,${String(source.data)}` } }
  return { type: 'text', text: '' }
}
