import { describe, expect, test } from 'vitest'
import type { Simulator } from '../../simulator.ts'
import { aSimulator } from '../../client.testing.ts'

type Event = { type: string } & Record<string, unknown>

async function post(simulator: Simulator, path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${simulator.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  const text = await response.text()
  const events = text
    .split('\n\n')
    .filter(event => event.startsWith('event: '))
    .map(event => JSON.parse(event.slice(event.indexOf('data: ') + 6)) as Event) // the simulator's own
  return { status: response.status, text, events, types: events.map(({ type }) => type) }
}

const RESPONSE = { model: 'gpt-4', input: 'Hello', stream: true }
const MESSAGE = { model: 'gpt-4', max_tokens: 1_000, messages: [{ role: 'user', content: 'Hello' }], stream: true }

describe('responses', () => {
  test('begin once, open and close what they say, and end once with their usage', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer('Good day.')
    const { events, types } = await post(simulator, 'responses', RESPONSE)
    expect([...new Set(types)]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events.map(event => event['sequence_number'])).toEqual(events.map((_event, at) => at))
    expect(events.at(-1)).toMatchObject({
      response: { status: 'completed', usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) } },
    })
    expect(events.find(({ type }) => type === 'response.output_text.done')).toMatchObject({ text: 'Good day.' })
  })
  test('call a tool, and take its result', async () => {
    await using simulator = await aSimulator()
    const { events } = await post(simulator, 'responses', { ...RESPONSE, input: '/simulate tool=find' })
    expect(events.at(-2)).toMatchObject({
      type: 'response.output_item.done',
      item: { type: 'function_call', name: 'find' },
    })
    const output = { type: 'function_call_output', call_id: 'call_1', output: 'found' }
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: '/simulate tool=find' }] },
      { type: 'function_call', name: 'find' },
      output,
    ]
    expect((await post(simulator, 'responses', { ...RESPONSE, input, stream: false })).text).toContain(
      'The tool gave: found',
    )
  })
  test('fail in the middle, break off, and are cut at their length', async () => {
    await using simulator = await aSimulator()
    const failed = await post(simulator, 'responses', { ...RESPONSE, input: '/simulate fault=error code=server_error' })
    expect(failed.events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'server_error' } },
    })
    expect((await post(simulator, 'responses', { ...RESPONSE, input: '/simulate fault=finish' })).types.at(-1)).toBe(
      'response.output_text.delta',
    )
    expect((await post(simulator, 'responses', { ...RESPONSE, max_output_tokens: 2 })).events.at(-1)).toMatchObject({
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    })
  })
})

describe('messages', () => {
  test('begin once, open and close a block, and end once', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer('Good day.')
    const { events, types } = await post(simulator, 'messages', MESSAGE)
    expect([...new Set(types)]).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: expect.any(Number) },
    })
  })
  test('call a tool, see a picture, and are one document where they are not streamed', async () => {
    await using simulator = await aSimulator()
    const ask = (content: unknown) => post(simulator, 'messages', { ...MESSAGE, messages: [{ role: 'user', content }] })
    expect((await ask('/simulate tool=find input={"path":"a"}')).text).toContain('"partial_json":"{\\"path\\"')
    const whole = await post(simulator, 'messages', {
      ...MESSAGE,
      system: [{ type: 'text', text: 'Be short' }],
      stream: false,
    })
    expect(JSON.parse(whole.text)).toMatchObject({
      type: 'message',
      stop_reason: 'end_turn',
      usage: { input_tokens: expect.any(Number) },
    })
    const result = { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'found' }] }
    const answered = await ask([result, { type: 'text', text: '/simulate tool=find' }])
    expect(answered.events.map(({ delta }) => (delta as { text?: string } | undefined)?.text ?? '').join('')).toBe(
      'The tool gave: found',
    )
  })
  test('are refused and break off in the form of their service', async () => {
    await using simulator = await aSimulator({ key: 'sk-1' })
    expect(await post(simulator, 'messages', {})).toMatchObject({ status: 401 })
    const keyed = { 'x-api-key': 'sk-1' }
    const lacking = await post(simulator, 'messages', {}, keyed)
    expect(lacking).toMatchObject({ status: 400, text: expect.stringMatching(/^\{"type":"error"/) })
    const messages = [{ role: 'user', content: '/simulate fault=error code=overloaded_error' }]
    const broken = await post(simulator, 'messages', { ...MESSAGE, messages }, keyed)
    expect(broken.events.at(-1)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
  })
})
