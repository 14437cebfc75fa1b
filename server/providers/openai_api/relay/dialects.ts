import { type Fields, fieldOf, isFields } from '../../looseJson.ts'
import type { RelayKind } from '../../relay.ts'
import { errorIn, toError, type UpstreamError } from '../../upstreamErrors.ts'
import { usageIn, usageOf } from '../chunks.ts'

/** What an event says, or a whole answer: never more of its texts than their length. */
export type Noted = {
  /** All that the model has made with it: text, thoughts, calls of tools. */
  texts: readonly string[]
  has_output: boolean
  usage: NotedUsage | null
  /** The answer is whole. */
  is_whole: boolean
  /** Nothing comes behind it. */
  is_last: boolean
  error: UpstreamError | null
}

/** `output_tokens`: of the whole answer. */
type NotedUsage = { input_tokens?: number; cached_tokens?: number; output_tokens?: number }

/** Reads one event of a stream, or the one document that an answer is. Missing and odd fields say nothing. */
export type DialectReader = (fields: Fields) => Noted

const NOTHING: Noted = { texts: [], has_output: false, usage: null, is_whole: false, is_last: false, error: null }

const noted = (given: Partial<Noted>): Noted => ({
  ...NOTHING,
  has_output: (given.texts ?? []).some(text => text !== ''),
  ...given,
})

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const stringsIn = (value: unknown, ...names: readonly string[]): string[] =>
  names.flatMap(name => {
    const found = fieldOf(value, name)
    return typeof found === 'string' ? [found] : []
  })

const ofUsage = (usage: ReturnType<typeof usageOf>): NotedUsage | null =>
  usage === null
    ? null
    : {
        input_tokens: usage.prompt_tokens,
        output_tokens: usage.completion_tokens,
        cached_tokens: usage.cached_tokens ?? 0,
      }

const chat: DialectReader = fields => {
  const choices = listOf(fields['choices'])
  const texts = choices.flatMap(choice => [
    ...saidInChat(fieldOf(choice, 'delta')),
    ...saidInChat(fieldOf(choice, 'message')),
  ])
  const within = choices.map(choice => errorIn(choice, true)).find(error => error !== null)
  return noted({
    texts,
    usage: ofUsage(usageIn(fields)),
    // It may be followed by the usage.
    is_whole: choices.some(choice => Boolean(fieldOf(choice, 'finish_reason'))),
    error: errorIn(fields, choices.length > 0) ?? within ?? null,
  })
}

function saidInChat(message: unknown): string[] {
  if (!isFields(message)) return []
  const content = listOf(message['content']).flatMap(part => stringsIn(part, 'text', 'refusal'))
  const calls = [...listOf(message['tool_calls']), { function: message['function_call'] }].flatMap(call => [
    ...stringsIn(fieldOf(call, 'function'), 'name', 'arguments'),
    ...stringsIn(fieldOf(call, 'custom'), 'name', 'input'),
  ])
  const [thoughts] = stringsIn(message, 'reasoning_content', 'reasoning')
  return [
    ...stringsIn(message, 'content', 'refusal'),
    ...content,
    ...calls,
    ...(thoughts === undefined ? [] : [thoughts]),
  ]
}

const RESPONSE_ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete'])

const responses: DialectReader = fields => {
  const { type } = fields
  if (typeof type !== 'string') return ofResponse(fields, true)
  if (RESPONSE_ENDS.has(type)) return { ...ofResponse(fields['response'], false), is_whole: true, is_last: true }
  if (type === 'response.failed') {
    const response = fields['response']
    return noted({ ...ofResponse(response, false), error: toError(fieldOf(response, 'error') ?? {}) })
  }
  if (type === 'error') return noted({ error: toError(fields) })
  return type.endsWith('.delta') ? noted({ texts: stringsIn(fields, 'delta') }) : NOTHING
}

/** `isDocument`: no deltas came before it. */
function ofResponse(response: unknown, isDocument: boolean): Noted {
  if (!isFields(response)) return NOTHING
  const texts = listOf(response['output']).flatMap(item => [
    ...stringsIn(item, 'name', 'arguments', 'input'),
    ...[...listOf(fieldOf(item, 'content')), ...listOf(fieldOf(item, 'summary'))].flatMap(part =>
      stringsIn(part, 'text', 'refusal'),
    ),
  ])
  const said = response['error'] ?? null
  return noted({
    texts: isDocument ? texts : [],
    has_output: texts.some(text => text !== ''),
    usage: ofUsage(usageOf(response['usage'])),
    is_whole: isDocument && response['status'] !== undefined,
    error: isDocument ? (said === null ? errorIn(response, false) : toError({ error: said })) : null,
  })
}

const messages: DialectReader = fields => {
  switch (fields['type']) {
    case 'message_start':
      // What it says of the output is of the beginning.
      return noted({ usage: inputOf(fieldOf(fields['message'], 'usage')) })
    case 'content_block_start':
      return noted({ texts: saidInBlock(fields['content_block']) })
    case 'content_block_delta':
      return noted({ texts: stringsIn(fields['delta'], 'text', 'thinking', 'partial_json') })
    case 'message_delta':
      return noted({ usage: usageOfMessage(fields['usage']) })
    case 'message_stop':
      return noted({ is_whole: true, is_last: true })
    case 'message':
      return noted({
        texts: listOf(fields['content']).flatMap(saidInBlock),
        usage: usageOfMessage(fields['usage']),
        is_whole: true,
      })
    default:
      return noted({ error: errorIn(fields, false) })
  }
}

function saidInBlock(block: unknown): string[] {
  const input = fieldOf(block, 'input')
  const isEmpty = !isFields(input) || Object.keys(input).length === 0
  return [...stringsIn(block, 'text', 'thinking', 'name'), ...(isEmpty ? [] : [JSON.stringify(input)])]
}

const MAX_TOKENS = 1_000_000_000
const tokens = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : undefined

/** What is written to the cache, and read from it, is said apart. */
function inputOf(usage: unknown): NotedUsage | null {
  const fresh = tokens(fieldOf(usage, 'input_tokens'))
  if (fresh === undefined) return null
  const written = tokens(fieldOf(usage, 'cache_creation_input_tokens')) ?? 0
  const cached_tokens = tokens(fieldOf(usage, 'cache_read_input_tokens')) ?? 0
  return { input_tokens: fresh + written + cached_tokens, cached_tokens }
}

function usageOfMessage(usage: unknown): NotedUsage | null {
  const output_tokens = tokens(fieldOf(usage, 'output_tokens'))
  const input = inputOf(usage)
  return output_tokens === undefined ? input : { ...input, output_tokens }
}

/** Vectors are no tokens: what was sent is all that is counted. */
const embeddings: DialectReader = fields => {
  const input_tokens = tokens(fieldOf(fields['usage'], 'prompt_tokens') ?? fieldOf(fields['usage'], 'total_tokens'))
  const has_output = listOf(fields['data']).length > 0
  return noted({
    has_output,
    usage: { output_tokens: 0, ...(input_tokens !== undefined && { input_tokens }) },
    is_whole: has_output,
    error: errorIn(fields, false),
  })
}

export const READERS: Readonly<Record<RelayKind, DialectReader>> = { chat, responses, messages, embeddings }
