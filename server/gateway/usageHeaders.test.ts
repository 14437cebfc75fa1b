import { describe, expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { A_CHAT, DIALECTS, portalWithTool, questionIn } from './gateway.testing.ts'

const headersIn = (response: Response, beginning: string): Record<string, string> =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith(beginning)))

eachStorage((_name, storage) => {
  describe('an answer to a tool', () => {
    test.each(DIALECTS)('says what is left, in the dialect of %s', async dialect => {
      const [path, body] = questionIn[dialect]('Hello')
      const { send, admin, lin } = await portalWithTool(await storage())
      await admin.result('PATCH', `/user/${lin.id}/setting`, {
        openai_api: { total_ask_count: 4, rate_limits: [{ window_seconds: 7200, max_requests: 40 }] },
      })
      for (const [stream, left] of [
        [true, 3],
        [false, 2],
      ]) {
        const response = await send(path, { body: { ...body, stream } })
        expect(response.status).toBe(200)
        expect(headersIn(response, 'x-ratelimit-')).toEqual({
          'x-ratelimit-limit-requests': '4',
          'x-ratelimit-remaining-requests': String(left),
        })
        expect(headersIn(response, 'x-codex-')).toMatchObject({
          'x-codex-primary-used-percent': String(100 - 25 * Number(left)),
        })
        await response.text()
      }
    })
    test('says it of the window that binds first, and of the longest one', async () => {
      const limit = { source: 'openai_api', unit: 'asks', models: null } as const
      const { send } = await portalWithTool(await storage(), {
        limits: [
          { ...limit, amount: 2, window: { kind: 'rolling', seconds: 3600 } },
          { ...limit, amount: 50, window: { kind: 'week' } },
        ],
      })
      const response = await send('/v1/chat/completions', { body: A_CHAT })
      expect(headersIn(response, 'x-')).toMatchObject({
        'x-codex-primary-used-percent': '50',
        'x-codex-primary-window-minutes': '60',
        'x-codex-primary-reset-at': expect.stringMatching(/^\d{10}$/),
        'x-codex-secondary-used-percent': '2',
        'x-codex-secondary-window-minutes': '10080',
        'x-ratelimit-limit-requests': '2',
        'x-ratelimit-remaining-requests': '1',
        'x-ratelimit-reset-requests': expect.stringMatching(/^\d+s$/),
      })
    })
    test('says it where it is refused, too', async () => {
      const { send, admin, lin } = await portalWithTool(await storage())
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 0 } })
      const response = await send('/v1/chat/completions', { body: A_CHAT })
      expect(response.ok).toBe(false)
      expect(headersIn(response, 'x-ratelimit-')).toMatchObject({ 'x-ratelimit-remaining-requests': '0' })
    })
  })

  describe('a refusal by a limit', () => {
    const RATE = { openai_api: { rate_limits: [{ window_seconds: 7200, max_requests: 1 }] } }

    async function refused() {
      const portal = await portalWithTool(await storage())
      const { send, admin, lin } = portal
      await admin.result('PATCH', `/user/${lin.id}/setting`, RATE)
      const ask = async () => {
        const response = await send('/v1/chat/completions', { body: A_CHAT })
        await response.text()
        return response.status
      }
      expect([await ask(), await ask()]).toEqual([200, 429])
      /** Behind the back of the portal, that hears nothing of it. */
      const raise = () =>
        portal.app.services.open.database
          .updateTable('user_source_settings')
          .set({ rate_limits: null })
          .where('user_id', '=', lin.id)
          .execute()
      return { ...portal, ask, raise }
    }

    test('is remembered for 5 seconds', async () => {
      const { ask, raise, clock } = await refused()
      await raise()
      expect(await ask()).toBe(429)
      clock.set(clock.now() + 5_000)
      expect(await ask()).toBe(200)
    })
    test('is forgotten when a limit is changed', async () => {
      const { ask, admin, lin } = await refused()
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { rate_limits: [] } })
      expect(await ask()).toBe(200)
    })
    test('is nobody else’s', async () => {
      const { person, make, url } = await refused()
      const { key } = await make({}, await person('mei'))
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(A_CHAT),
      })
      expect(response.status).toBe(200)
    })
  })
})
