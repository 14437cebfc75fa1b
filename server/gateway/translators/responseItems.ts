import { fieldOf, type Fields } from '#server/providers/looseJson.ts'
import type { AnswerBlock, BlockEvent } from './answerBlocks.ts'
import type { AnswerOptions } from './translated.ts'

/** An item that grows: its events, and what it is when it is done. */
type GrowingItem = {
  begin(at: ItemPosition): Fields[]
  delta(at: ItemPosition, text: string): Fields[]
  end(at: ItemPosition, text: string): Fields[]
  item(status: 'in_progress' | 'completed', text: string): Fields
}

type ItemPosition = { item_id: string; output_index: number }

/** A message whose parts follow each other: text, and a refusal behind it. */
type OpenMessage = { at: ItemPosition; content: Fields[] }

/**
 * Writes the blocks of an answer as the items of a response. Text and refusal are parts of one message; thoughts and
 * calls are items themselves.
 */
export function responseItems({ id, tools }: Pick<AnswerOptions, 'id' | 'tools'>) {
  const output: Fields[] = []
  let message: OpenMessage | null = null
  let open: { item: GrowingItem; at: ItemPosition } | null = null
  let count = 0

  function added(prefix: string, item: (item_id: string) => Fields): { at: ItemPosition; events: Fields[] } {
    const at = { item_id: `${prefix}_${id}_${count}`, output_index: count }
    count += 1
    return {
      at,
      events: [{ type: 'response.output_item.added', output_index: at.output_index, item: item(at.item_id) }],
    }
  }

  function done(output_index: number, item: Fields): Fields {
    output.push(item)
    return { type: 'response.output_item.done', output_index, item }
  }

  function close(): Fields[] {
    if (message === null) return []
    const { at, content } = message
    message = null
    return [done(at.output_index, messageItem(at.item_id, 'completed', content))]
  }

  function partEvents(event: BlockEvent): Fields[] {
    const { kind } = event.block
    const events: Fields[] = []
    if (message === null) {
      const begin = added('msg', item_id => messageItem(item_id, 'in_progress', []))
      message = { at: begin.at, content: [] }
      events.push(...begin.events)
    }
    const at = { ...message.at, content_index: message.content.length }
    if (event.type === 'begin') return [...events, { type: 'response.content_part.added', ...at, part: part(kind, '') }]
    if (event.type === 'delta')
      return [{ type: `${partType(kind)}.delta`, ...at, delta: event.text, ...logprobs(kind) }]
    const whole = part(kind, event.text)
    message.content.push(whole)
    return [
      { type: `${partType(kind)}.done`, ...at, [kind]: event.text, ...logprobs(kind) },
      { type: 'response.content_part.done', ...at, part: whole },
    ]
  }

  function itemEvents(event: BlockEvent): Fields[] {
    if (event.type === 'begin') {
      const item = growingItem(event.block, `call_${id}_${count}`, tools)
      const closing = close()
      const { at, events } = added(item.prefix, item_id => ({ id: item_id, ...item.item('in_progress', '') }))
      open = { item, at }
      return [...closing, ...events, ...item.begin(at)]
    }
    if (open === null) return []
    const { item, at } = open
    if (event.type === 'delta') return item.delta(at, event.text)
    open = null
    const whole = { id: at.item_id, ...item.item('completed', event.text) }
    return [...item.end(at, event.text), done(at.output_index, whole)]
  }

  return {
    events: (event: BlockEvent): Fields[] =>
      event.block.kind === 'text' || event.block.kind === 'refusal' ? partEvents(event) : itemEvents(event),
    /** Ends the message that is open: a further part could have come. */
    close,
    output: (): readonly Fields[] => output,
  }
}

function growingItem({ call }: AnswerBlock, call_id: string, tools: AnswerOptions['tools']) {
  if (call === null) return { prefix: 'rs', ...THOUGHTS }
  const { kind, name, namespace } = tools.get(call.name) ?? { kind: 'function', name: call.name, namespace: null }
  const named = { call_id: call.id || call_id, name, ...(namespace === null ? {} : { namespace }) }
  return kind === 'custom' ? { prefix: 'ctc', ...customCall(named) } : { prefix: 'fc', ...functionCall(named) }
}

const functionCall = (named: Fields): GrowingItem => ({
  begin: () => [],
  delta: (at, delta) => [{ type: 'response.function_call_arguments.delta', ...at, delta }],
  end: (at, text) => [{ type: 'response.function_call_arguments.done', ...at, name: named['name'], arguments: text }],
  item: (status, text) => ({ type: 'function_call', status, arguments: text, ...named }),
})

/** Its input is a string within the arguments: known when they are whole. */
const customCall = (named: Fields): GrowingItem => ({
  begin: () => [],
  delta: () => [],
  end: (at, text) => [
    { type: 'response.custom_tool_call_input.delta', ...at, delta: inputIn(text) },
    { type: 'response.custom_tool_call_input.done', ...at, input: inputIn(text) },
  ],
  item: (status, text) => ({ type: 'custom_tool_call', status, input: inputIn(text), ...named }),
})

/** Some models write the input as it stands, although they were asked for arguments. */
function inputIn(text: string): string {
  try {
    const input = fieldOf(JSON.parse(text), 'input')
    return typeof input === 'string' ? input : text
  } catch {
    return text
  }
}

const SUMMARY = 'response.reasoning_summary'

const THOUGHTS: GrowingItem = {
  begin: at => [{ type: `${SUMMARY}_part.added`, ...at, summary_index: 0, part: { type: 'summary_text', text: '' } }],
  delta: (at, delta) => [{ type: `${SUMMARY}_text.delta`, ...at, summary_index: 0, delta }],
  end: (at, text) => [
    { type: `${SUMMARY}_text.done`, ...at, summary_index: 0, text },
    { type: `${SUMMARY}_part.done`, ...at, summary_index: 0, part: { type: 'summary_text', text } },
  ],
  item: (status, text) => ({
    type: 'reasoning',
    status,
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
  }),
}

const messageItem = (id: string, status: string, content: readonly Fields[]): Fields => ({
  ...{ id, type: 'message', status, role: 'assistant', content: [...content] },
})

const partType = (kind: string): string => (kind === 'refusal' ? 'response.refusal' : 'response.output_text')

const part = (kind: string, text: string): Fields =>
  kind === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [], logprobs: [] }

const logprobs = (kind: string): Fields => (kind === 'refusal' ? {} : { logprobs: [] })
