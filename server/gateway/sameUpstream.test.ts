import { describe, expect, test } from 'vitest'
import { withKeys } from '#server/keys/keys.testing.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { startWithTwo } from '#testing/twoUpstreams.ts'
import { sendTo } from './gateway.testing.ts'

/** The first requests of a conversation of a tool: each has all that was said before. */
function requestsOf(question: string, more: { headers?: Record<string, string>; body?: object } = {}) {
  const thread: { role: string; content: string }[] = [{ role: 'user', content: question }]
  return Array.from({ length: 4 }, (_, turn) => {
    const body = { model: 'gpt_4', messages: [...thread], ...more.body }
    thread.push({ role: 'assistant', content: `Answer ${turn}` }, { role: 'user', content: `And ${turn}?` })
    return { headers: more.headers ?? {}, body }
  })
}

/** By what tools say that requests belong together. */
const NAMED = {
  'the header of its session': (name: string) => requestsOf('Hello', { headers: { 'x-session-id': name } }),
  prompt_cache_key: (name: string) => requestsOf('Hello', { body: { prompt_cache_key: name } }),
  'how it begins': (name: string) => requestsOf(`Hello, ${name}`),
}

/** Two upstreams that answer with the same model. */
async function opened(newStorage: NewStorage) {
  const portal = await withKeys(await startWithTwo({ storage: await newStorage() }))
  const { key } = await portal.make()
  const asked = () =>
    portal.simulators.map(({ journal }) => journal.filter(({ path }) => path.endsWith('completions')).length)
  /** Which of the two has answered. */
  async function ask({ headers, body }: ReturnType<typeof requestsOf>[number]): Promise<number> {
    const before = asked()
    const response = await sendTo(portal.url, key, '/v1/chat/completions', { headers, body })
    expect(response.status).toBe(200)
    await response.text()
    return asked().findIndex((count, index) => count > (before[index] ?? 0))
  }
  const change = (action: string) => (at: 0 | 1) =>
    portal.admin.result('POST', `/system/upstreams/${portal.upstreams[at]}/${action}`)
  return { ask, pause: change('pause'), resume: change('resume') }
}

eachStorage((_name, storage) => {
  describe('a conversation of a tool', () => {
    test.each(Object.entries(NAMED))('that is known by %s stays where it began', async (_by, named) => {
      const { ask, pause, resume } = await opened(storage)
      const [first, ...more] = named('one')
      await pause(0)
      expect(await ask(first!)).toBe(1)
      await resume(0)
      // Whatever belongs to none goes to the other one.
      expect(await ask(named('two')[0]!)).toBe(0)
      for (const request of more) expect(await ask(request)).toBe(1)
    })
    test('moves when its upstream may not be asked, and stays where it has gone', async () => {
      const { ask, pause, resume } = await opened(storage)
      const requests = NAMED['how it begins']('one')
      expect(await ask(requests[0]!)).toBe(0)
      await pause(0)
      expect(await ask(requests[1]!)).toBe(1)
      await resume(0)
      expect(await ask(requests[2]!)).toBe(1)
    })
  })
})
