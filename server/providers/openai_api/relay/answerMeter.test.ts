import { describe, expect, test } from 'vitest'
import type { Dialect } from '#contract/gateway.ts'
import { answerMeter } from './answerMeter.ts'

function metered(dialect: Dialect, ...events: (object | '[DONE]')[]) {
  const meter = answerMeter(dialect)
  const passages = events.map(event =>
    meter.takeEvent(Buffer.from(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)),
  )
  return {
    ...meter.seen(),
    whole: meter.isWhole(),
    error: passages.at(-1)?.error ?? null,
    last: passages.at(-1)?.is_last,
  }
}

const delta = (given: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: given, finish_reason }],
})

describe('chat completions', () => {
  test('count text, thoughts and calls of tools until the usage comes', () => {
    const call = { tool_calls: [{ index: 0, function: { name: 'find', arguments: '{"a":1}' } }] }
    const events = [
      delta({ role: 'assistant', content: '' }),
      delta({ content: 'abcd' }),
      delta({ reasoning_content: 'efgh' }),
      delta(call),
    ]
    expect(metered('chat', events[0]!)).toMatchObject({ has_output: false, counted_tokens: 0 })
    expect(metered('chat', ...events)).toMatchObject({
      has_output: true,
      counted_tokens: 5,
      output_tokens: null,
      whole: false,
    })
    const usage = { prompt_tokens: 20, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 16 } }
    expect(metered('chat', ...events, delta({}, 'tool_calls'), { choices: [], usage }, '[DONE]')).toMatchObject({
      ...{ input_tokens: 20, cached_tokens: 16, output_tokens: 9 },
      ...{ whole: true, last: true },
    })
  })
  test('are whole with a finish, whatever comes behind it', () => {
    expect(metered('chat', delta({ content: 'a' }, 'stop'))).toMatchObject({ whole: true, last: false })
    expect(metered('chat', '[DONE]')).toMatchObject({ whole: false, last: true })
  })
  test('say what went wrong', () => {
    expect(metered('chat', { error: { code: 'rate_limit_exceeded', message: 'wait' } }).error).not.toBe(null)
  })
})

describe('responses', () => {
  const usage = { input_tokens: 20, output_tokens: 9, input_tokens_details: { cached_tokens: 16 } }
  test('count what deltas bring, and end with one event', () => {
    const said = [
      { type: 'response.created', response: { id: 'r', status: 'in_progress', usage: null, error: null } },
      { type: 'response.output_text.delta', delta: '你好' },
      { type: 'response.function_call_arguments.delta', delta: '{"a":1}' },
    ]
    expect(metered('responses', ...said)).toMatchObject({
      has_output: true,
      counted_tokens: 4,
      whole: false,
      error: null,
    })
    const end = { type: 'response.completed', response: { status: 'completed', usage, output: [] } }
    expect(metered('responses', ...said, end)).toMatchObject({
      ...{ input_tokens: 20, cached_tokens: 16, output_tokens: 9 },
      ...{ whole: true, last: true },
    })
  })
  test('that failed are an error with what they used', () => {
    const response = { status: 'failed', error: { code: 'server_error', message: 'oh' }, usage }
    expect(metered('responses', { type: 'response.failed', response })).toMatchObject({
      whole: false,
      output_tokens: 9,
      error: { codes: expect.anything() },
    })
    expect(metered('responses', { type: 'error', code: 'server_error', message: 'oh' }).error).not.toBe(null)
  })
  test('are whole when they are incomplete, which says why', () => {
    const response = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage }
    expect(metered('responses', { type: 'response.incomplete', response })).toMatchObject({ whole: true, error: null })
  })
})

describe('messages', () => {
  const start = {
    type: 'message_start',
    message: {
      usage: { input_tokens: 5, cache_read_input_tokens: 10, cache_creation_input_tokens: 2, output_tokens: 1 },
    },
  }
  test('say at the beginning what was sent, with what the cache had, and at the end what was made', () => {
    const said = [
      start,
      { type: 'content_block_start', content_block: { type: 'tool_use', name: 'find', input: {} } },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
    ]
    expect(metered('messages', start)).toMatchObject({
      has_output: false,
      input_tokens: 17,
      cached_tokens: 10,
      output_tokens: null,
    })
    expect(metered('messages', ...said)).toMatchObject({ has_output: true, counted_tokens: 3, output_tokens: null })
    const end = [
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ]
    expect(metered('messages', ...said, ...end)).toMatchObject({
      input_tokens: 17,
      output_tokens: 9,
      whole: true,
      last: true,
    })
  })
  test('that break off say why, and pings say nothing', () => {
    expect(metered('messages', start, { type: 'ping' })).toMatchObject({ error: null, whole: false })
    expect(metered('messages', { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }).error).not.toBe(
      null,
    )
  })
})

describe('an answer that is one document', () => {
  test.each<[Dialect, object]>([
    [
      'chat',
      {
        choices: [{ message: { content: 'abcd' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 2 },
      },
    ],
    [
      'responses',
      {
        status: 'completed',
        error: null,
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'abcd' }] }],
        usage: { input_tokens: 3, output_tokens: 2 },
      },
    ],
    [
      'messages',
      { type: 'message', content: [{ type: 'text', text: 'abcd' }], usage: { input_tokens: 3, output_tokens: 2 } },
    ],
  ])('is counted in %s', (dialect, document) => {
    const meter = answerMeter(dialect)
    expect(meter.takeDocument(document)).toBe(null)
    expect(meter.seen()).toMatchObject({ has_output: true, input_tokens: 3, output_tokens: 2, counted_tokens: 1 })
    expect(meter.isWhole()).toBe(true)
  })
  test('may be an error, in any dialect', () => {
    for (const dialect of ['chat', 'responses', 'messages'] as const)
      expect(answerMeter(dialect).takeDocument({ type: 'error', error: { type: 'x', message: 'no' } })).not.toBe(null)
  })
})
