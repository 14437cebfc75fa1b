import { type Fields, fieldOf, isFields } from '#server/providers/looseJson.ts'
import { chatThread } from './chatThread.ts'
import { messageParts, textIn } from './messageParts.ts'
import { toolNames } from './toolNames.ts'
import { refusedName, type ToolNames } from './translated.ts'

/** `refused`: what it asks for that a chat has no counterpart for, by name. `thinks`: for the answer's translator. */
export type MessagesAsChat = { body: Fields; refused: string[]; tools: ToolNames; thinks: boolean }

/** Blocks of history that only their own upstream can read, or that say nothing of their own: left out. */
const LEFT_OUT = /^(?:thinking|redacted_thinking|server_tool_use|\w+_tool_result|fallback|compaction)$/

/** Fields that name state kept by an upstream, who may call what from there, or where it must be done. */
const REFUSED_FIELDS = ['container', 'mcp_servers', 'inference_geo'] as const

/** Offers of an upstream that a model can do without where it has other tools. */
const OPTIONAL_TOOL = /^(?:web_search|web_fetch|tool_search_tool)/

/** A request of the dialect of messages as a chat. What it leaves out stands in docs/gateway.md. */
export function messagesToChat(body: Fields): MessagesAsChat {
  const refused: string[] = REFUSED_FIELDS.filter(name => body[name] !== undefined && body[name] !== null)
  const names = toolNames()
  const { tools, choice } = toolFields(body, names, refused)
  const thread = chatThread()
  thread.addSystem(textIn(body['system']))
  for (const message of listIn(body['messages'])) addMessage(thread, message, names, refused)
  const format = fieldOf(body['output_config'], 'format') ?? body['output_format']
  const isStream = body['stream'] === true
  const chat = {
    ...{ model: body['model'], messages: thread.messages(), max_tokens: body['max_tokens'] },
    ...{ temperature: body['temperature'], top_p: body['top_p'], stop: body['stop_sequences'], ...tools, ...choice },
    ...{ response_format: responseFormat(format) },
    ...(isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
  const thinking = fieldOf(body['thinking'], 'type')
  return {
    body: Object.fromEntries(Object.entries(chat).filter(([, value]) => value !== undefined && value !== null)),
    refused: [...new Set(refused)],
    tools: names.byChatName,
    thinks: thinking === 'enabled' || thinking === 'adaptive',
  }
}

const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

const blocksIn = (content: unknown): Fields[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listIn(content)

type Names = ReturnType<typeof toolNames>

function addMessage(thread: ReturnType<typeof chatThread>, message: Fields, names: Names, refused: string[]): void {
  const blocks = blocksIn(message['content'])
  if (message['role'] === 'system') {
    thread.addSystem(textIn(message['content']))
    return
  }
  const results = blocks.filter(({ type }) => type === 'tool_result')
  for (const result of results) {
    const parts = messageParts(blocksIn(result['content']), refused)
    thread.addResult(String(result['tool_use_id']), parts)
  }
  const others = blocks.filter(({ type }) => type !== 'tool_result' && !LEFT_OUT.test(String(type)))
  if (message['role'] !== 'assistant') {
    thread.addUser(messageParts(others, refused))
    return
  }
  const text = messageParts(
    others.filter(({ type }) => type !== 'tool_use'),
    refused,
  )
  const calls = others.filter(({ type }) => type === 'tool_use')
  thread.addAssistant(text.map(part => String(part['text'] ?? '')).join(''))
  for (const { id, name, input } of calls) {
    const chatName = names.chatName({ kind: 'function', name: String(name), namespace: null })
    thread.addCall(String(id), chatName, JSON.stringify(input ?? {}))
  }
}

function toolFields(body: Fields, names: Names, refused: string[]): { tools: Fields; choice: Fields } {
  const given = listIn(body['tools'])
  const own = given.filter(({ type }) => type === undefined || type === null || type === 'custom')
  const hosted = given.filter(tool => !own.includes(tool))
  const isForced = (tool: Fields): boolean => fieldOf(body['tool_choice'], 'name') === tool['name']
  for (const tool of hosted) {
    const isOptional = own.length > 0 && OPTIONAL_TOOL.test(String(tool['type'])) && !isForced(tool)
    if (!isOptional) refused.push(refusedName('tools', tool['type']))
  }
  if (own.length === 0) return { tools: {}, choice: {} }
  const tools = own.map(({ name, description, input_schema, strict }) => ({
    type: 'function',
    function: {
      name: names.chatName({ kind: 'function', name: String(name), namespace: null }),
      ...(typeof description === 'string' ? { description } : {}),
      parameters: input_schema ?? { type: 'object', properties: {} },
      ...(strict === true ? { strict } : {}),
    },
  }))
  return { tools: { tools }, choice: choiceFields(body['tool_choice'], names) }
}

const CHOICES: Readonly<Record<string, string>> = { auto: 'auto', any: 'required', none: 'none' }

function choiceFields(choice: unknown, names: Names): Fields {
  const type = String(fieldOf(choice, 'type'))
  const alone = fieldOf(choice, 'disable_parallel_tool_use') === true ? { parallel_tool_calls: false } : {}
  if (type !== 'tool') return CHOICES[type] === undefined ? alone : { tool_choice: CHOICES[type], ...alone }
  const name = names.chatName({ kind: 'function', name: String(fieldOf(choice, 'name')), namespace: null })
  return { tool_choice: { type: 'function', function: { name } }, ...alone }
}

function responseFormat(format: unknown): Fields | undefined {
  if (fieldOf(format, 'type') !== 'json_schema') return undefined
  return { type: 'json_schema', json_schema: { name: 'answer', schema: fieldOf(format, 'schema'), strict: true } }
}
