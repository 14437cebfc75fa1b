import { describe, expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { portalWithTool, refusalIn } from './gateway.testing.ts'

const GET = { method: 'GET' }
type Listed = { data: { id: string; [field: string]: unknown }[]; [field: string]: unknown }

eachStorage((_name, storage) => {
  describe('the list of models', () => {
    test('has what the person may ask, as tools of all dialects read it', async () => {
      const { send } = await portalWithTool(await storage())
      const list = (await (await send('/v1/models?limit=1000', GET)).json()) as Listed
      expect(list).toMatchObject({ object: 'list', has_more: false, first_id: 'gpt_3_5', last_id: 'gpt_4' })
      expect(list.data.map(({ id }) => id)).toEqual(['gpt_3_5', 'gpt_4'])
      expect(list.data[0]).toMatchObject({ object: 'model', type: 'model', owned_by: 'chat-commons' })
    })
    test('leaves out what the key may not name', async () => {
      const { send } = await portalWithTool(await storage(), { models: ['gpt_4'] })
      const list = (await (await send('/v1/models', GET)).json()) as Listed
      expect(list.data.map(({ id }) => id)).toEqual(['gpt_4'])
    })
    test('needs a key', async () => {
      const { send } = await portalWithTool(await storage())
      const response = await send('/v1/models', { ...GET, headers: { authorization: '' } })
      expect(await refusalIn(response)).toMatchObject({ status: 401, code: 'invalid_api_key' })
    })
  })

  describe('a model', () => {
    test('is found by its code, and by what its provider calls it', async () => {
      const { send } = await portalWithTool(await storage())
      for (const name of ['gpt_4', 'gpt-4'])
        expect(await (await send(`/v1/models/${name}`, GET)).json()).toMatchObject({ id: 'gpt_4', object: 'model' })
    })
    test('that is none is not found', async () => {
      const { send } = await portalWithTool(await storage())
      for (const name of ['gpt-9', 'a/b', '%F0%9F', 'x'.repeat(500)])
        expect((await send(`/v1/models/${name}`, GET)).status).toBe(404)
    })
  })

  describe('what is left', () => {
    test('is read by the key, the window that binds first before the others', async () => {
      const { send, admin, lin } = await portalWithTool(await storage())
      await admin.result('PATCH', `/user/${lin.id}/setting`, {
        openai_api: { total_ask_count: 4, rate_limits: [{ window_seconds: 7200, max_requests: 40 }] },
      })
      const body = { model: 'gpt_4', messages: [{ role: 'user', content: 'Hello' }] }
      await (await send('/v1/chat/completions', { body })).text()
      const usage = await (await send('/v1/usage', GET)).json()
      expect(usage).toMatchObject({
        object: 'usage',
        time_zone: expect.any(String),
        windows: [
          { account: null, unit: 'asks', used: 1, share: 4, left: 3, borrowed: 0 },
          { account: null, unit: 'asks', used: 1, share: 40, left: 39, resets_at: expect.stringMatching(/Z$/) },
        ],
      })
    })
    test('is nobody’s but the owner’s', async () => {
      const { send, lin } = await portalWithTool(await storage())
      const response = await send('/v1/usage', { ...GET, headers: { authorization: '', cookie: lin.cookie } })
      expect(response.status).toBe(401)
    })
  })
})
