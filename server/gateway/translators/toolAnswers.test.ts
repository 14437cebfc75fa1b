import { describe, expect, test } from 'vitest'
import { chatToMessages } from './chatToMessages.ts'
import { chatToResponses } from './chatToResponses.ts'
import { readMessageEvents, readResponseEvents } from './eventOrder.testing.ts'
import type { ToolNames } from './translated.ts'

const COMMON = { id: 'x1', model: 'm', input_tokens: 7 }
const NO_TOOLS: ToolNames = new Map()
type Call = { index?: number; id?: string; name?: string; args?: string }

const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const callChunk = ({ name, args, ...call }: Call) =>
  chunk({ tool_calls: [{ ...call, function: { ...(name === undefined ? {} : { name }), arguments: args ?? '' } }] })

function asMessages(chunks: readonly unknown[]) {
  const translator = chatToMessages({ ...COMMON, tools: NO_TOOLS, thinks: false })
  return readMessageEvents([...chunks.flatMap(translator.push), ...translator.end()])
}

function asResponses(chunks: readonly unknown[], tools = NO_TOOLS) {
  const options = { ...COMMON, tools, created_at: 1, request: { temperature: 0.5 }, sequence_number: 0 }
  const translator = chatToResponses(options)
  return readResponseEvents([...chunks.flatMap(translator.push), ...translator.end()])
}

const called = (...calls: Call[]) =>
  asMessages([...calls.map(callChunk), chunk({}, 'stop')]).blocks.map(({ name, text }) => [name, text])

describe('calls of tools in a chat', () => {
  test('without index go on until another one is named', () => {
    expect(
      called({ id: 'a', name: 'one', args: '{"x"' }, { args: ':1}' }, { id: 'b', name: 'two', args: '{}' }),
    ).toEqual([
      ['one', '{"x":1}'],
      ['two', '{}'],
    ])
  })
  test('at one index are two where both have an id and a name', () => {
    const [first, second] = [
      { index: 0, id: 'a', name: 'one', args: '{}' },
      { index: 0, id: 'b', name: 'two', args: '{}' },
    ]
    expect(called(first, second).map(([name]) => name)).toEqual(['one', 'two'])
  })
  test('are one where each piece has another id and no name', () => {
    const pieces = [
      { index: 0, id: 'a', name: 'one', args: '[' },
      { index: 0, id: 'b', args: '1' },
      { index: 0, id: 'c', args: ']' },
    ]
    expect(called(...pieces)).toEqual([['one', '[1]']])
  })
  test('may be named behind their first arguments', () => {
    expect(called({ index: 0, id: 'a', args: '{"x"' }, { index: 0, name: 'one', args: ':1}' })).toEqual([
      ['one', '{"x":1}'],
    ])
  })
  test('may come as an object, and in the old form of one call', () => {
    const whole = chunk({ function_call: { name: 'one', arguments: { x: 1 } } }, 'function_call')
    const { blocks, last } = asMessages([whole])
    expect(blocks).toEqual([{ kind: 'tool_use', name: 'one', text: '{"x":1}' }])
    expect(last['delta']).toEqual({ stop_reason: 'tool_use', stop_sequence: null })
  })
  test('end a message with tool_use although the upstream says "stop"', () => {
    const { last } = asMessages([callChunk({ id: 'a', name: 'one', args: '{}' }), chunk({}, 'stop')])
    expect(last['delta']).toMatchObject({ stop_reason: 'tool_use' })
  })
})

describe('what a message says behind its blocks', () => {
  test('is how many tokens it took, cached ones apart', () => {
    const usage = { prompt_tokens: 100, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 60 } }
    const counted = { input_tokens: 40, cache_creation_input_tokens: 0, cache_read_input_tokens: 60, output_tokens: 9 }
    for (const choices of [[], null, undefined])
      expect(asMessages([chunk({ content: 'Hi' }, 'stop'), { choices, usage }]).last['usage']).toEqual(counted)
    expect(asMessages([chunk({ content: 'Hi' }, 'stop')]).last['usage']).toMatchObject({ input_tokens: 7 })
  })
  test.each([
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['eos', 'end_turn'],
  ])('is %s as %s', (reason, stop_reason) => {
    expect(asMessages([chunk({ content: 'Hi' }, reason)]).last['delta']).toMatchObject({ stop_reason })
  })
  test('is no thought where nobody asked for thoughts', () => {
    expect(asMessages([chunk({ reasoning_content: 'hm' }), chunk({ content: 'Hi' }, 'stop')]).blocks).toEqual([
      { kind: 'text', name: '', text: 'Hi' },
    ])
  })
})

describe('what a response ends with', () => {
  test('is all its items, usage with its parts, and what the request set', () => {
    const usage = {
      ...{ prompt_tokens: 10, completion_tokens: 5 },
      ...{ prompt_tokens_details: { cached_tokens: 4 }, completion_tokens_details: { reasoning_tokens: 2 } },
    }
    const chunks = [
      chunk({ reasoning: 'hm' }),
      chunk({ content: 'Hi' }),
      callChunk({ id: 'a', name: 'one', args: '{}' }),
    ]
    const { end, last } = asResponses([...chunks, { ...chunk({}, 'tool_calls'), usage }])
    expect(end).toBe('response.completed')
    expect(last).toMatchObject({
      ...{ id: 'x1', object: 'response', status: 'completed', model: 'm', temperature: 0.5, store: false },
      usage: {
        ...{ input_tokens: 10, input_tokens_details: { cached_tokens: 4 } },
        ...{ output_tokens: 5, output_tokens_details: { reasoning_tokens: 2 }, total_tokens: 15 },
      },
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hi' }] },
        { type: 'function_call', call_id: 'a', name: 'one', arguments: '{}', status: 'completed' },
      ],
    })
  })
  test('is incomplete where the answer is as long as it may be', () => {
    const { end, last } = asResponses([chunk({ content: 'Hi' }, 'length')])
    expect([end, last['incomplete_details']]).toEqual(['response.incomplete', { reason: 'max_output_tokens' }])
  })
  test('is a failure where the answer was filtered', () => {
    const { end, last } = asResponses([chunk({ content: 'Hi' }, 'content_filter')])
    expect([end, last['error']]).toMatchObject(['response.failed', { code: 'invalid_prompt' }])
  })
  test('is a call in its namespace, and the text that a custom tool takes', () => {
    const tools: ToolNames = new Map([
      ['mcp__a__b', { kind: 'function', name: 'b', namespace: 'mcp__a' }],
      ['patch', { kind: 'custom', name: 'patch', namespace: null }],
    ])
    const calls = [
      { index: 0, id: 'c1', name: 'mcp__a__b', args: '{}' },
      { index: 1, id: 'c2', name: 'patch', args: '{"inp' },
      { index: 1, args: 'ut":"*** Begin"}' },
      { index: 2, id: 'c3', name: 'patch', args: '*** as it stands' },
    ]
    const { blocks, last } = asResponses([...calls.map(callChunk), chunk({}, 'tool_calls')], tools)
    expect(last['output']).toMatchObject([
      { type: 'function_call', name: 'b', namespace: 'mcp__a' },
      { type: 'custom_tool_call', name: 'patch', input: '*** Begin' },
      { type: 'custom_tool_call', name: 'patch', input: '*** as it stands' },
    ])
    expect(blocks.map(({ text }) => text)).toEqual(['{}', '*** Begin', '*** as it stands'])
  })
})
