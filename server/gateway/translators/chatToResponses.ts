import type { Fields } from '#server/providers/looseJson.ts'
import { answerBlocks } from './answerBlocks.ts'
import { chatReader, type ChatUsage } from './chatReader.ts'
import { responseItems } from './responseItems.ts'
import {
  type AnswerError,
  type AnswerOptions,
  CUT_SHORT,
  type StreamEvent,
  type StreamTranslator,
  type WholeAnswer,
} from './translated.ts'

export type ResponsesOptions = AnswerOptions & {
  /** Unix seconds. */
  created_at: number
  /** What was asked: some of it is repeated in the answer. */
  request: Fields
  /** Of the first event: larger than 0 where the stream has begun with others, as it does in the queue. */
  sequence_number: number
}

/** Fields of a request that its answer repeats; instructions and tools may be long, and nobody reads them there. */
const REPEATED = [
  'max_output_tokens',
  'metadata',
  'parallel_tool_calls',
  'reasoning',
  'temperature',
  'text',
  'tool_choice',
  'top_p',
] as const

const FILTERED: AnswerError = { message: 'The upstream filtered this answer', code: 'invalid_prompt' }

/** Writes a chat's answer as the events of a response. */
export function chatToResponses(options: ResponsesOptions): StreamTranslator {
  const reader = chatReader()
  const blocks = answerBlocks()
  const items = responseItems(options)
  let sequence_number = options.sequence_number
  let hasStarted = false
  let isOver = false
  let finish: string | null = null
  let usage: ChatUsage | null = null

  const numbered = (events: readonly Fields[]): StreamEvent[] =>
    events.map(({ type, ...fields }) => {
      const data = { type, sequence_number, ...fields }
      sequence_number += 1
      return { event: String(type), data }
    })

  function start(): Fields[] {
    if (hasStarted) return []
    hasStarted = true
    const response = responseFields(options, { status: 'in_progress' })
    return ['response.created', 'response.in_progress'].map(type => ({ type, response }))
  }

  function failed({ message, code }: AnswerError): Fields[] {
    isOver = true
    const changed = { status: 'failed', error: { code: code ?? 'server_error', message }, output: items.output() }
    return [...start(), { type: 'response.failed', response: responseFields(options, changed) }]
  }

  function whole(): Fields[] {
    const closing = [...start(), ...blocks.finish().flatMap(items.events), ...items.close()]
    if (finish === 'content_filter') return [...closing, ...failed(FILTERED)]
    isOver = true
    const status = finish === 'length' ? 'incomplete' : 'completed'
    const incomplete_details = finish === 'length' ? { reason: 'max_output_tokens' } : null
    const changed = {
      status,
      incomplete_details,
      output: items.output(),
      usage: usageFields(usage, options.input_tokens),
    }
    return [...closing, { type: `response.${status}`, response: responseFields(options, changed) }]
  }

  return {
    push(chunk) {
      if (isOver) return []
      const news = reader.read(chunk)
      if (news.finish !== null) finish = news.finish.reason ?? 'unknown'
      usage = news.usage ?? usage
      const events = [...start(), ...news.parts.flatMap(blocks.push).flatMap(items.events)]
      return numbered(news.error === null ? events : [...events, ...failed(news.error)])
    },
    end: () => (isOver ? [] : numbered(finish === null ? failed(CUT_SHORT) : whole())),
    fail: error => (isOver ? [] : numbered(failed(error))),
  }
}

export function chatAnswerToResponses(whole: unknown, options: ResponsesOptions): WholeAnswer {
  const translator = chatToResponses(options)
  const last = [...translator.push(whole), ...translator.end()].at(-1)?.data
  const answer = (last?.['response'] ?? {}) as Fields
  if (answer['status'] !== 'failed') return { answer }
  return { error: answer['error'] as AnswerError }
}

/** A response without its items: what stands before and around them. */
function responseFields({ id, model, created_at, request }: ResponsesOptions, changed: Fields): Fields {
  const repeated = REPEATED.filter(name => request[name] !== undefined).map(name => [name, request[name]] as const)
  return {
    ...{ id, object: 'response', created_at, model, error: null, incomplete_details: null },
    ...{ instructions: null, output: [], parallel_tool_calls: true, previous_response_id: null, store: false },
    ...{
      metadata: {},
      temperature: null,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_p: null,
    },
    ...{ usage: null, ...Object.fromEntries(repeated), ...changed },
  }
}

function usageFields(usage: ChatUsage | null, input_tokens: number): Fields {
  const { input, cached, output, reasoning } = usage ?? { input: input_tokens, cached: 0, output: 0, reasoning: 0 }
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
