import { type Fields, isFields } from '#server/providers/looseJson.ts'
import { answerBlocks, type AnswerBlock, type BlockEvent } from './answerBlocks.ts'
import { chatReader, type ChatUsage } from './chatReader.ts'
import {
  type AnswerError,
  type AnswerOptions,
  CUT_SHORT,
  type StreamEvent,
  type StreamTranslator,
  type WholeAnswer,
} from './translated.ts'

/** `thinks`: whether the request asked for thoughts. Whoever has not reads the first block as the answer. */
export type MessagesOptions = AnswerOptions & { thinks: boolean }

const STOP_REASONS: Readonly<Record<string, string>> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
}

/** Writes a chat's answer as the events of a message. */
export function chatToMessages(options: MessagesOptions): StreamTranslator {
  const answer = messageAnswer(options)
  let hasStarted = false
  let isOver = false

  const start = (): StreamEvent[] => {
    if (hasStarted) return []
    hasStarted = true
    return [named('message_start', { message: messageFields(options, [], null, null) })]
  }

  function fail({ message, code }: AnswerError): StreamEvent[] {
    if (isOver) return []
    isOver = true
    return [named('error', { error: { type: errorType(code), message } })]
  }

  return {
    push(chunk) {
      if (isOver) return []
      const { blocks, error } = answer.push(chunk)
      const events = [...start(), ...blocks.flatMap(event => blockEvents(event, options))]
      return error === null ? events : [...events, ...fail(error)]
    },
    end() {
      if (isOver) return []
      if (!answer.isWhole()) return fail(CUT_SHORT)
      const blocks = answer.finish().flatMap(event => blockEvents(event, options))
      isOver = true
      const delta = { stop_reason: answer.stopReason(), stop_sequence: null }
      const usage = usageFields(answer.usage(), options.input_tokens)
      return [...start(), ...blocks, named('message_delta', { delta, usage }), named('message_stop', {})]
    },
    fail,
  }
}

export function chatAnswerToMessages(whole: unknown, options: MessagesOptions): WholeAnswer {
  const answer = messageAnswer(options)
  const { blocks, error } = answer.push(whole)
  if (error !== null) return { error }
  if (!answer.isWhole()) return { error: CUT_SHORT }
  const content = [...blocks, ...answer.finish()].flatMap(event =>
    event.type === 'end' ? [wholeBlock(event.block, event.text, options)] : [],
  )
  return { answer: messageFields(options, content, answer.stopReason(), answer.usage()) }
}

/** What both forms have in common. */
function messageAnswer({ thinks }: MessagesOptions) {
  const reader = chatReader()
  const blocks = answerBlocks()
  let finish: string | null = null
  let usage: ChatUsage | null = null
  let isRefused = false

  return {
    push(chunk: unknown): { blocks: BlockEvent[]; error: AnswerError | null } {
      const news = reader.read(chunk)
      if (news.finish !== null) finish = news.finish.reason ?? 'unknown'
      usage = news.usage ?? usage
      isRefused ||= news.parts.some(({ kind }) => kind === 'refusal')
      const parts = thinks ? news.parts : news.parts.filter(({ kind }) => kind !== 'thoughts')
      return { blocks: parts.flatMap(part => blocks.push(inMessage(part))), error: news.error }
    },
    finish: blocks.finish,
    isWhole: () => finish !== null,
    stopReason(): string {
      if (isRefused) return 'refusal'
      const reason = STOP_REASONS[finish ?? '']
      // Some upstreams say "stop" where they call a tool.
      return reason ?? (blocks.isCalling() ? 'tool_use' : 'end_turn')
    },
    usage: () => usage,
  }
}

/** A refusal is text there, and said by the stop reason. */
const inMessage = <P extends { kind: string }>(part: P) =>
  (part.kind === 'refusal' ? { ...part, kind: 'text' } : part) as P

function blockEvents(event: BlockEvent, options: MessagesOptions): StreamEvent[] {
  const { index } = event.block
  if (event.type === 'begin')
    return [named('content_block_start', { index, content_block: emptyBlock(event.block, options) })]
  if (event.type === 'end') return [named('content_block_stop', { index })]
  return [named('content_block_delta', { index, delta: deltaOf(event.block, event.text) })]
}

function deltaOf({ kind }: AnswerBlock, text: string): Fields {
  if (kind === 'thoughts') return { type: 'thinking_delta', thinking: text }
  return kind === 'call' ? { type: 'input_json_delta', partial_json: text } : { type: 'text_delta', text }
}

function emptyBlock({ kind, call, index }: AnswerBlock, { id, tools }: MessagesOptions): Fields {
  if (call !== null) {
    const name = tools.get(call.name)?.name ?? call.name
    return { type: 'tool_use', id: call.id || `toolu_${id}_${index}`, name, input: {} }
  }
  return kind === 'thoughts' ? { type: 'thinking', thinking: '', signature: '' } : { type: 'text', text: '' }
}

function wholeBlock(block: AnswerBlock, text: string, options: MessagesOptions): Fields {
  const fields = emptyBlock(block, options)
  if (block.kind === 'call') return { ...fields, input: inputOf(text) }
  return block.kind === 'thoughts' ? { ...fields, thinking: text } : { ...fields, text }
}

/** Arguments that were cut, or are none: the tool says what it misses. */
function inputOf(text: string): Fields {
  try {
    const input: unknown = JSON.parse(text)
    return isFields(input) ? input : {}
  } catch {
    return {}
  }
}

const messageFields = (
  { id, model, input_tokens }: MessagesOptions,
  content: readonly Fields[],
  stop_reason: string | null,
  usage: ChatUsage | null,
): Fields => ({
  ...{ id, type: 'message', role: 'assistant', model, content, stop_reason, stop_sequence: null },
  usage: usageFields(usage, input_tokens),
})

const usageFields = (usage: ChatUsage | null, input_tokens: number): Fields => ({
  input_tokens: usage === null ? input_tokens : usage.input - usage.cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage?.cached ?? 0,
  output_tokens: usage?.output ?? 0,
})

const named = (type: string, fields: Fields): StreamEvent => ({ event: type, data: { type, ...fields } })

function errorType(code: string | null): string {
  if (code === null) return 'api_error'
  if (/overload|unavailable/i.test(code)) return 'overloaded_error'
  if (/rate_?limit/i.test(code)) return 'rate_limit_error'
  if (/quota|billing|usage_limit/i.test(code)) return 'billing_error'
  return /invalid|context_length/i.test(code) ? 'invalid_request_error' : 'api_error'
}
