import { describe, expect, test } from 'vitest'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { eventsOf, portalWithTool } from './gateway.testing.ts'

const CLAUDE = { model: 'gpt_4', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], unknown: { a: 1 } }
const CODEX = { model: 'gpt_4', input: [{ type: 'message', role: 'user', content: 'Hello' }], unknown: { a: 1 } }

/** Its upstream speaks all three dialects. */
async function opened(storage: NewStorage) {
  const portal = await portalWithTool(await storage())
  const { id } = portal.app.services.upstreams.ofSettings('openai_api')
  const dialects = ['chat', 'responses', 'messages']
  await portal.admin.result('PATCH', `/system/upstreams/${id}`, { dialects })
  return portal
}

eachStorage((_name, storage) => {
  describe('an upstream that speaks the dialect', () => {
    test('gets messages as they came, with the headers of their dialect and none of the key', async () => {
      const { send, simulator, made } = await opened(storage)
      simulator.nextAnswer('Good day.')
      const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'context-1m' }
      const response = await send('/v1/messages', { body: { ...CLAUDE, stream: true }, headers })
      const events = eventsOf(await response.text())
      expect(events[0]).toMatch(/^event: message_start\n/)
      expect(events.at(-1)).toMatch(/^event: message_stop\n/)
      const asked = simulator.journal.at(-1)
      expect(asked).toMatchObject({ path: '/v1/messages', body: { ...CLAUDE, model: 'gpt-4', stream: true } })
      expect(JSON.stringify(asked)).not.toContain(made.key)
    })
    test('gets responses as they came, and is to keep nothing', async () => {
      const { send, simulator } = await opened(storage)
      simulator.nextAnswer('Good day.')
      const response = await send('/v1/responses', { body: { ...CODEX, stream: true, store: true } })
      const events = eventsOf(await response.text())
      expect(events[0]).toMatch(/^event: response.created\n/)
      expect(events.at(-1)).toMatch(/^event: response.completed\n/)
      expect(simulator.journal.at(-1)).toMatchObject({
        path: '/v1/responses',
        body: { ...CODEX, model: 'gpt-4', stream: true, store: false },
      })
    })
    test('is not asked for the search of the web that Codex names beside its tools', async () => {
      const { send, simulator } = await opened(storage)
      const own = { type: 'function', name: 'exec_command', parameters: { type: 'object' } }
      const body = { ...CODEX, tools: [own, { type: 'web_search', external_web_access: true }] }
      expect((await send('/v1/responses', { body })).status).toBe(200)
      expect(simulator.journal.at(-1)).toMatchObject({ body: { tools: [own] } })
    })
    test('answers whole as well', async () => {
      const { send } = await opened(storage)
      expect(await (await send('/v1/messages', { body: CLAUDE })).json()).toMatchObject({ type: 'message' })
      expect(await (await send('/v1/responses', { body: CODEX })).json()).toMatchObject({ object: 'response' })
    })
    test('that breaks off is one error and never just an end', async () => {
      const { send, simulator } = await opened(storage)
      for (const [path, body, end] of [
        ['/v1/messages', CLAUDE, 'event: error'],
        ['/v1/responses', CODEX, 'event: response.failed'],
      ] as const) {
        simulator.nextAnswer('one two three four five six')
        simulator.nextFault({ kind: 'cut', after_tokens: 3 })
        const events = eventsOf(await (await send(path, { body: { ...body, stream: true } })).text())
        expect(events.at(-1)?.split('\n')[0]).toBe(end)
        expect(events.filter(event => event.startsWith(end))).toHaveLength(1)
      }
    })
  })
})
