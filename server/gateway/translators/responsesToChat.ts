import { type Fields, fieldOf, isFields } from '#server/providers/looseJson.ts'
import { chatThread, textOfParts } from './chatThread.ts'
import { itemParts } from './itemParts.ts'
import { responsesTools } from './responsesTools.ts'
import { toolNames } from './toolNames.ts'
import { refusedName, type ToolNames } from './translated.ts'

export type ResponsesAsChat = { body: Fields; refused: string[]; tools: ToolNames }

/** State that an upstream keeps, and what it does of itself. */
const REFUSED_FIELDS = ['previous_response_id', 'conversation', 'prompt', 'background'] as const

/** Tiers that cost what others do. */
const PLAIN_TIERS: readonly unknown[] = [undefined, null, 'auto', 'default']

/** Items of history that only their own upstream can read, or that say nothing to a model: left out. */
const LEFT_OUT = /^(?:reasoning|configuration_update|additional_tools|web_search_call|tool_search_(?:call|output))$/

/** A request of the dialect of responses as a chat. What it leaves out stands in docs/gateway.md. */
export function responsesToChat(body: Fields): ResponsesAsChat {
  const refused: string[] = REFUSED_FIELDS.filter(name => ![undefined, null, false].includes(body[name] as never))
  if (!PLAIN_TIERS.includes(body['service_tier'])) refused.push(refusedName('service_tier', body['service_tier']))
  const items = itemsIn(body['input'])
  const names = toolNames()
  const added = items.filter(({ type }) => type === 'additional_tools').flatMap(({ tools }) => listIn(tools))
  const tools = responsesTools([...listIn(body['tools']), ...added], body['tool_choice'], names, refused)
  const thread = chatThread()
  if (typeof body['instructions'] === 'string') thread.addSystem(body['instructions'])
  for (const item of items) addItem(thread, item, names, refused)
  const isAlone = body['parallel_tool_calls'] === false && tools['tools'] !== undefined
  const chat = {
    ...{ model: body['model'], messages: thread.messages(), max_tokens: body['max_output_tokens'] },
    ...{
      temperature: body['temperature'],
      top_p: body['top_p'],
      reasoning_effort: fieldOf(body['reasoning'], 'effort'),
    },
    ...{ ...tools, ...(isAlone ? { parallel_tool_calls: false } : {}) },
    ...{ response_format: responseFormat(fieldOf(body['text'], 'format')) },
    ...(body['stream'] === true ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
  return {
    body: Object.fromEntries(Object.entries(chat).filter(([, value]) => value !== undefined && value !== null)),
    refused: [...new Set(refused)],
    tools: names.byChatName,
  }
}

const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

const itemsIn = (input: unknown): Fields[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : listIn(input)

type Thread = ReturnType<typeof chatThread>
type Names = ReturnType<typeof toolNames>

function addItem(thread: Thread, item: Fields, names: Names, refused: string[]): void {
  const type = item['type'] ?? 'message'
  const call_id = String(item['call_id'])
  const namespace = typeof item['namespace'] === 'string' ? item['namespace'] : null
  const named = (kind: 'function' | 'custom') => names.chatName({ kind, name: String(item['name']), namespace })
  if (LEFT_OUT.test(String(type))) return
  switch (type) {
    case 'message':
      return addMessage(thread, item, refused)
    case 'function_call':
      return thread.addCall(call_id, named('function'), String(item['arguments'] ?? '{}'))
    case 'custom_tool_call':
      return thread.addCall(call_id, named('custom'), JSON.stringify({ input: item['input'] ?? '' }))
    case 'function_call_output':
    case 'custom_tool_call_output':
      return thread.addResult(call_id, itemParts(item['output'], refused))
    default:
      refused.push(refusedName('input', type))
  }
}

function addMessage(thread: Thread, item: Fields, refused: string[]): void {
  const parts = itemParts(item['content'], refused)
  if (item['role'] === 'assistant') thread.addAssistant(textOfParts(parts))
  else if (item['role'] === 'user') thread.addUser(parts)
  else thread.addSystem(textOfParts(parts))
}

function responseFormat(format: unknown): Fields | undefined {
  const type = fieldOf(format, 'type')
  if (type === 'json_object') return { type }
  if (type !== 'json_schema' || !isFields(format)) return undefined
  const { type: _type, ...json_schema } = format
  return { type, json_schema }
}
