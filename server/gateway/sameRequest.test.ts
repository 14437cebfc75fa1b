import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { START, withKeys } from '#server/keys/keys.testing.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { startPortal } from '#testing/portal.ts'
import { A_CHAT, portalWithTool } from './gateway.testing.ts'

const STREAMED = { ...A_CHAT, stream: true }
const BROKEN = '/simulate fault=error shape=top after=5'
const SLOW = '/simulate tokens=100000 pace=20'
const of = (content: string, more: object = {}) => ({ model: 'gpt_4', messages: [{ role: 'user', content }], ...more })

eachStorage((name, storage) => {
  async function limited(asks: number) {
    const portal = await portalWithTool(await storage())
    const { admin, lin, send } = portal
    const limit = { source: 'openai_api', unit: 'asks', window: { kind: 'day' }, amount: asks, models: null }
    await admin.result('PATCH', '/plan/1', { limits: [limit] })
    const ask = async (body: object, headers: Record<string, string> = {}) => {
      const response = await send('/v1/chat/completions', { body, headers })
      return { status: response.status, text: await response.text() }
    }
    const used = async () => {
      const { limits } = await lin.result<{ limits: { used: number }[] }>('GET', '/usage/me')
      return limits[0]?.used
    }
    return { ...portal, ask, used }
  }

  describe('a request that broke off', () => {
    test('is asked again at no charge, streamed or not, and is the same question', async () => {
      const { ask, used, logs, simulator } = await limited(1)
      simulator.nextFault({ kind: 'error', shape: 'top', after_tokens: 5, code: 'server_error', message: 'It broke' })
      expect((await ask(STREAMED)).text).toContain('"error"')
      await until(async () => expect(await used()).toBe(1))
      expect(await ask(A_CHAT)).toMatchObject({ status: 200 })
      expect(await used()).toBe(1)
      await until(async () => expect((await logs()).map(({ charged }) => charged)).toEqual([1000, 0]))
      expect(await ask(of('Another'))).toMatchObject({ status: 429 })
    })
    test('is asked again twice, and is a new question then', async () => {
      const { ask, used, logs } = await limited(2)
      for (const tries of [1, 2, 3]) {
        await ask(of(BROKEN, { stream: true }))
        await until(async () => expect(await logs()).toHaveLength(tries))
      }
      expect(await used()).toBe(1)
      await ask(of(BROKEN, { stream: true }))
      await until(async () => expect(await used()).toBe(2))
    })
    test('is another question when a minute is over', async () => {
      const { ask, used, logs, clock } = await limited(5)
      await ask(of(BROKEN, { stream: true }))
      await until(async () => expect(await logs()).toHaveLength(1))
      clock.set(clock.now() + 61_000)
      await ask(of(BROKEN, { stream: true }))
      await until(async () => expect(await used()).toBe(2))
    })
    test('is nothing that another key asks for nothing', async () => {
      const { ask, used, logs, make } = await limited(5)
      await ask(of(BROKEN, { stream: true }))
      await until(async () => expect(await logs()).toHaveLength(1))
      const { key } = await make()
      await ask(of(BROKEN, { stream: true }), { authorization: `Bearer ${key}` })
      await until(async () => expect(await used()).toBe(2))
    })
    test('and was answered then is asked anew after that', async () => {
      const { ask, used } = await limited(5)
      await ask(A_CHAT)
      await ask(A_CHAT)
      expect(await used()).toBe(2)
    })
    test.runIf(name === 'PostgreSQL')('is known in every process', async () => {
      const environment = { COMMONS_SECRET_KEY: randomBytes(32).toString('base64') }
      const same = { storage: await storage(), clock: testClock(START), environment }
      const { admin, simulator, lin, make, app, url } = await withKeys(await startPortal(same))
      const limit = { source: 'openai_api', unit: 'asks', window: { kind: 'day' }, amount: 1, models: null }
      await admin.result('PATCH', '/plan/1', { limits: [limit] })
      const other = await startPortal({ ...same, simulator })
      const { key } = await make()
      const charged = async () =>
        (await app.services.open.database.selectFrom('ask_logs').select('charged').orderBy('id').execute()).map(
          row => row.charged,
        )
      const ask = async (portal: string, body: object) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        const sent = { method: 'POST', headers, body: JSON.stringify(body) }
        await (await fetch(`${portal}/v1/chat/completions`, sent)).text()
      }
      await ask(url, of(BROKEN, { stream: true }))
      await until(async () => expect(await charged()).toEqual([1000]))
      await ask(other.url, of(BROKEN))
      await until(async () => expect(await charged()).toEqual([1000, 0]))
      const { limits } = await lin.result<{ limits: { used: number }[] }>('GET', '/usage/me')
      expect(limits[0]?.used).toBe(1)
    })
  })

  describe('the title that a tool asks for beside a question', () => {
    const TOOL = { 'user-agent': 'opencode/1.18.33', 'x-session-id': 'ses_1' }
    const TITLE = of('A title, please')

    async function asking() {
      const portal = await limited(10)
      const gone = new AbortController()
      const body = of(SLOW, { stream: true, tools: [{ type: 'function', function: { name: 'f' } }] })
      const question = await portal.send('/v1/chat/completions', { body, headers: TOOL, signal: gone.signal })
      expect(question.status).toBe(200)
      return { ...portal, gone }
    }

    test('does not wait for it, and is charged', async () => {
      const { ask, used, gone } = await asking()
      expect(await ask(TITLE, TOOL)).toMatchObject({ status: 200 })
      expect(await used()).toBe(2)
      gone.abort()
    })
    test('is in the way of no question, where it comes first', async () => {
      const { send, ask } = await limited(10)
      const gone = new AbortController()
      const sent = { body: of(SLOW, { stream: true }), headers: TOOL, signal: gone.signal }
      expect((await send('/v1/chat/completions', sent)).status).toBe(200)
      const tools = [{ type: 'function', function: { name: 'f' } }]
      expect(await ask(of('The question', { tools }), TOOL)).toMatchObject({ status: 200 })
      gone.abort()
    })
    test('is one at once', async () => {
      const { ask, send, gone } = await asking()
      const first = await send('/v1/chat/completions', {
        body: of(SLOW, { stream: true }),
        headers: TOOL,
        signal: gone.signal,
      })
      expect(first.status).toBe(200)
      expect(await ask(TITLE, TOOL)).toMatchObject({ status: 429 })
      gone.abort()
    })
    test('is not what a tool sends that is not known, or that has tools', async () => {
      const { ask, gone } = await asking()
      expect(await ask(TITLE, { 'x-session-id': 'ses_1' })).toMatchObject({ status: 429 })
      const tools = [{ type: 'function', function: { name: 'f' } }]
      expect(await ask({ ...TITLE, tools }, TOOL)).toMatchObject({ status: 429 })
      gone.abort()
    })
  })
})
