import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { A_CHAT, portalWithTool, refusalIn } from './gateway.testing.ts'

const SLOW = [{ role: 'user', content: '/simulate tokens=100000 pace=20' }]

eachStorage((_name, storage) => {
  test('a request that finds all tokens held by another one is to come again soon, not told that there is no model', async () => {
    const limit = {
      source: 'openai_api',
      unit: 'tokens',
      window: { kind: 'day' },
      amount: 20_000,
      models: null,
    } as const
    const { send } = await portalWithTool(await storage(), { limits: [limit] })
    const gone = new AbortController()
    const body = { model: 'gpt_4', messages: SLOW, stream: true, max_tokens: 32_000 }
    const first = await send('/v1/chat/completions', { body, signal: gone.signal })
    expect(first.status).toBe(200)
    const second = await send('/v1/chat/completions', { body: { ...A_CHAT, max_tokens: 100 } })
    expect(second.headers.get('retry-after')).toBe('5')
    expect(await refusalIn(second)).toMatchObject({
      status: 429,
      message: expect.stringMatching(/^Questions of yours that are being answered may use what is left/),
    })
    gone.abort()
  })
})
