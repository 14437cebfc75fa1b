import { describe, expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { eventsOf, portalWithTool } from './gateway.testing.ts'

const CLAUDE = { model: 'gpt_4', max_tokens: 100, system: 'Be kind', messages: [{ role: 'user', content: 'Hello' }] }
const CODEX = { model: 'gpt_4', instructions: 'Be kind', input: [{ type: 'message', role: 'user', content: 'Hello' }] }

/** The names of the events of a stream, and their data. */
async function read(response: Response) {
  const events = eventsOf(await response.text()).map(event => {
    const [name = '', data = ''] = event.split('\n')
    return { name: name.replace('event: ', ''), data: JSON.parse(data.slice('data: '.length)) }
  })
  return { events, names: events.map(({ name }) => name) }
}

// Its upstream, the simulator, speaks nothing but chats.
eachStorage((_name, storage) => {
  describe('messages by an upstream of chats', () => {
    test('are streamed as their own events', async () => {
      const { send, simulator, logs } = await portalWithTool(await storage())
      simulator.nextAnswer('Good day.')
      const response = await send('/v1/messages?beta=true', { body: { ...CLAUDE, stream: true } })
      expect(response.headers.get('content-type')).toContain('text/event-stream')
      const { events, names } = await read(response)
      expect(names[0]).toBe('message_start')
      expect(names.filter(name => name === 'message_stop')).toHaveLength(1)
      expect(names.at(-1)).toBe('message_stop')
      expect(events.map(({ data }) => data.delta?.text ?? '').join('')).toBe('Good day.')
      expect(simulator.journal.at(-1)?.body).toMatchObject({
        model: 'gpt-4',
        messages: [
          { role: 'system', content: 'Be kind' },
          { role: 'user', content: 'Hello' },
        ],
      })
      await until(async () => expect(await logs()).toMatchObject([{ outcome: 'finished', answered: true }]))
    })
    test('come whole', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      simulator.nextAnswer('Good day.')
      const answer = await (await send('/v1/messages', { body: CLAUDE })).json()
      expect(answer).toMatchObject({
        id: expect.stringMatching(/^msg_/),
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Good day.' }],
        stop_reason: 'end_turn',
        usage: { output_tokens: expect.any(Number) },
      })
    })
    test('that break off end with an error', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      simulator.nextAnswer('one two three four five six')
      simulator.nextFault({ kind: 'cut', after_tokens: 3 })
      const { names } = await read(await send('/v1/messages', { body: { ...CLAUDE, stream: true } }))
      expect(names.at(-1)).toBe('error')
      expect(names.filter(name => name === 'error' || name === 'message_stop')).toHaveLength(1)
    })
    test('that are wrong are refused in their own form', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      for (const stream of [true, false]) {
        simulator.nextFault({ kind: 'status', status: 400, body: '{"error":{"message":"Too hot","code":"hot"}}' })
        const response = await send('/v1/messages', { body: { ...CLAUDE, stream } })
        expect(response.status).toBe(400)
        expect(await response.json()).toEqual({
          type: 'error',
          error: { type: 'invalid_request_error', message: 'Too hot' },
        })
      }
    })
  })

  describe('responses by an upstream of chats', () => {
    test('are streamed as their own events', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      simulator.nextAnswer('Good day.')
      const { events, names } = await read(await send('/v1/responses', { body: { ...CODEX, stream: true } }))
      expect(names[0]).toBe('response.created')
      expect(names).toContain('response.output_item.done')
      expect(names.at(-1)).toBe('response.completed')
      expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_, at) => at))
      expect(events.at(-1)?.data).toMatchObject({
        response: { status: 'completed', output: [{ role: 'assistant', content: [{ text: 'Good day.' }] }] },
      })
    })
    test('come whole', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      simulator.nextAnswer('Good day.')
      const answer = await (await send('/v1/responses', { body: CODEX })).json()
      expect(answer).toMatchObject({ object: 'response', status: 'completed', model: 'gpt_4' })
    })
    test('that break off have failed', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      simulator.nextAnswer('one two three four five six')
      simulator.nextFault({ kind: 'cut', after_tokens: 3 })
      const { events, names } = await read(await send('/v1/responses', { body: { ...CODEX, stream: true } }))
      expect(names.at(-1)).toBe('response.failed')
      expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_, at) => at))
    })
    test('with what a chat has no counterpart for are refused by name', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      const input = [{ type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot' } }]
      const response = await send('/v1/responses', { body: { ...CODEX, input } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { param: expect.stringContaining('computer') } })
      expect(simulator.journal.filter(({ path }) => path.endsWith('completions'))).toEqual([])
    })
  })
})
