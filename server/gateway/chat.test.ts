import { describe, expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { A_CHAT, eventsOf, portalWithTool, refusalIn } from './gateway.testing.ts'

const CHAT = '/v1/chat/completions'
const STREAMED = { ...A_CHAT, stream: true }

eachStorage((_name, storage) => {
  describe('chat completions', () => {
    test('are streamed as the upstream streams them', async () => {
      const { send, simulator, logs } = await portalWithTool(await storage())
      simulator.nextAnswer('Good day, 你好.')
      const response = await send(CHAT, { body: STREAMED, headers: { 'user-agent': 'opencode/1.18' } })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toContain('text/event-stream')
      const events = eventsOf(await response.text())
      expect(events.at(-1)).toBe('data: [DONE]')
      const deltas = events.slice(0, -1).map(event => JSON.parse(event.slice('data: '.length)))
      expect(deltas.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')).toBe('Good day, 你好.')
      expect(simulator.journal.at(-1)?.body).toMatchObject({ model: 'gpt-4', stream_options: { include_usage: true } })
      await until(async () =>
        expect(await logs()).toMatchObject([
          { model: 'gpt_4', outcome: 'finished', tool: 'opencode', conversation_id: null },
        ]),
      )
    })

    test('come as one document where they are not streamed', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      simulator.nextAnswer('Good day.')
      const response = await send(CHAT, { body: { ...A_CHAT, model: 'gpt-4', temperature: 1, seed: 7, unknown: [1] } })
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({
        object: 'chat.completion',
        choices: [{ message: { content: 'Good day.' } }],
        usage: { prompt_tokens: expect.any(Number) },
      })
      expect(simulator.journal.at(-1)?.body).toMatchObject({ model: 'gpt-4', seed: 7, unknown: [1] })
    })

    test('show what the upstream says of a wrong request, and charge nothing', async () => {
      const { send, simulator, logs } = await portalWithTool(await storage())
      simulator.nextFault({ kind: 'status', status: 400, body: '{"error":{"message":"Too hot","code":"hot"}}' })
      const response = await send(CHAT, { body: STREAMED })
      expect(await refusalIn(response)).toMatchObject({ status: 400, message: 'Too hot', code: 'hot' })
      await until(async () => expect(await logs()).toMatchObject([{ answered: false }]))
    })

    test('of an account that is refused are a 503 that names nothing of it', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      simulator.nextFault({ kind: 'status', status: 401 })
      const response = await send(CHAT, { body: A_CHAT })
      expect(response.headers.get('x-should-retry')).toBe('false')
      expect(await refusalIn(response)).toMatchObject({ status: 503, type: 'server_error' })
    })

    test('that break off end with an error, and never just end', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      simulator.nextAnswer('one two three four five six seven eight')
      simulator.nextFault({ kind: 'cut', after_tokens: 4 })
      const events = eventsOf(await (await send(CHAT, { body: STREAMED })).text())
      expect(events.length).toBeGreaterThan(3)
      expect(JSON.parse(events.at(-1)?.slice('data: '.length) ?? '')).toMatchObject({ error: { type: 'server_error' } })
      expect(events.filter(event => event.includes('"error"'))).toHaveLength(1)
    })

    test('that nobody waits for any longer end at the upstream, too', async () => {
      const { send, simulator, logs } = await portalWithTool(await storage())
      simulator.setPace(50)
      simulator.nextAnswer('word '.repeat(2_000))
      const leave = new AbortController()
      const response = await send(CHAT, { body: STREAMED, signal: leave.signal })
      await response.body?.getReader().read()
      leave.abort()
      await simulator.waitFor(({ ended }) => ended === 'aborted')
      await until(async () => expect(await logs()).toMatchObject([{ outcome: 'stopped', answered: true }]))
    })

    test('say their position while they wait for their turn', async () => {
      const { send, simulator, admin, make, person } = await portalWithTool(await storage())
      await admin.result('PUT', '/system/config', { openai_api: { max_completion_concurrency: 1 } })
      const other = { authorization: `Bearer ${(await make({}, await person('mei'))).key}` }
      simulator.setPace(50)
      simulator.nextAnswer('word '.repeat(2_000))
      const leave = new AbortController()
      const first = await send(CHAT, { body: STREAMED, signal: leave.signal })
      await first.body?.getReader().read()
      const second = await send(CHAT, { body: STREAMED, headers: other })
      expect(second.status).toBe(200)
      const reader = second.body?.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader?.read())?.value).toContain(': place 1\n\n')
      simulator.setPace(0)
      leave.abort()
      let text = ''
      for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) text += piece.value
      expect(text).toContain('data: [DONE]')
    })
  })

  describe('a limit', () => {
    test('is said in words before anything is sent', async () => {
      const { send, admin, lin, simulator } = await portalWithTool(await storage())
      await admin.result('PATCH', `/user/${lin.id}/setting`, {
        openai_api: { rate_limits: [{ window_seconds: 7200, max_requests: 1 }] },
      })
      await (await send(CHAT, { body: A_CHAT })).text()
      const asked = simulator.journal.length
      const response = await send(CHAT, { body: STREAMED })
      expect(response.headers.get('x-should-retry')).toBe('false')
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(7000)
      expect(await refusalIn(response)).toMatchObject({
        status: 429,
        code: 'rate_limit_exceeded',
        message: expect.stringMatching(/^You have used up your questions for this period\. Next: .*\d\d:\d\d/),
      })
      expect(simulator.journal.length).toBe(asked)
    })
    test('of an unknown model names those that are known', async () => {
      const { send } = await portalWithTool(await storage())
      expect(await refusalIn(await send(CHAT, { body: { ...A_CHAT, model: 'gpt-9' } }))).toMatchObject({
        status: 404,
        code: 'model_not_found',
        message: expect.stringContaining('gpt_4'),
      })
    })
  })
})
