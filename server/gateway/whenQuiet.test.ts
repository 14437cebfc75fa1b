import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { A_CHAT, portalWithTool, refusalIn } from './gateway.testing.ts'

const CHAT = '/v1/chat/completions'
const QUIET = { 'x-commons-when': 'quiet' }
const SLOW = [{ role: 'user', content: '/simulate tokens=100000 pace=20' }]

eachStorage((_name, storage) => {
  async function busy() {
    const portal = await portalWithTool(await storage())
    const { person, make, url, app } = portal
    const { key } = await make({}, await person('mei'))
    const gone = new AbortController()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const upstream_id = app.services.upstreams.ofSettings('openai_api').id
    await app.services.open.database
      .updateTable('upstreams')
      .set({ concurrency: 1 })
      .where('id', '=', upstream_id)
      .execute()
    await app.services.upstreams.snapshot.reload()
    const body = JSON.stringify({ model: 'gpt_4', messages: SLOW, stream: true })
    const others = await fetch(`${url}${CHAT}`, { method: 'POST', headers, body, signal: gone.signal })
    expect(others.status).toBe(200)
    return { ...portal, othersEnd: () => gone.abort() }
  }

  test.each([false, true])(
    'a request for when it is quiet waits for others, and pays half (streamed: %s)',
    async stream => {
      const { send, simulator, logs, othersEnd } = await busy()
      simulator.nextAnswer('Good night.')
      let isAnswered = false
      const answer = send(CHAT, { body: { ...A_CHAT, stream }, headers: QUIET }).then(async response => {
        const text = await response.text()
        isAnswered = true
        return { status: response.status, text }
      })
      const { text } = await (await send('/v1/messages/count_tokens', { body: A_CHAT })).text().then(text => ({ text }))
      expect(text).toContain('input_tokens')
      expect(isAnswered).toBe(false)
      othersEnd()
      const { status, text: said } = await answer
      expect(status).toBe(200)
      expect(said).toContain('night')
      await until(async () =>
        expect((await logs()).find(({ outcome }) => outcome === 'finished')).toMatchObject({ charged: 500 }),
      )
    },
  )
  test('a key that asks only when it is quiet waits as well', async () => {
    const { make, url, lin, othersEnd, simulator } = await busy()
    simulator.nextAnswer('Good night.')
    const { key } = await make({ quiet_only: true }, lin)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = fetch(`${url}${CHAT}`, { method: 'POST', headers, body: JSON.stringify(A_CHAT) })
    othersEnd()
    expect((await answer).status).toBe(200)
    expect(await (await answer).text()).toContain('night')
  })
  test('another moment is refused by name', async () => {
    const { send } = await portalWithTool(await storage())
    const response = await send(CHAT, { body: A_CHAT, headers: { 'x-commons-when': 'tomorrow' } })
    expect(await refusalIn(response)).toMatchObject({ status: 400, message: 'x-commons-when: Neither now nor quiet.' })
  })
})
