import { describe, expect, test } from 'vitest'
import { aSimulator } from '../client.testing.ts'
import { answered, aWebClient, messagesIn, webEventsIn } from './client.testing.ts'
import { eventsOf, growing } from './asking/writer.ts'
import { aMessage, text, textOf } from './state/conversation.ts'

describe('a fault of one call', () => {
  test('comes as often as wanted, then not', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    simulator.web.nextFault('list', { kind: 'status', status: 429, retry_after_seconds: 20 }, 2)
    simulator.web.nextFault('accounts', { kind: 'page', status: 403 }, Infinity)
    const answers = await Promise.all([1, 2, 3].map(() => client.send('GET', 'conversations')))
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [429, '20'],
      [429, '20'],
      [200, null],
    ])
    const wall = await client.send('GET', 'accounts/check/v4-2023-04-27')
    expect([wall.status, wall.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    simulator.web.nextFault('announce', { kind: 'json', body: { upload_url: 'file:///etc' } })
    expect((await client.read('POST', 'files', {})).body).toEqual({ upload_url: 'file:///etc' })
    simulator.web.clearFaults()
    expect((await client.send('GET', 'accounts/check/v4-2023-04-27')).status).toBe(200)
  })
  test('of the storage host redirects or refuses', async () => {
    await using simulator = await aSimulator()
    const { body } = await aWebClient(simulator).read('POST', 'files', {
      file_name: 'a',
      file_size: 1,
      use_case: 'my_files',
    })
    simulator.web.nextFault('storage', { kind: 'redirect', location: simulator.url })
    simulator.web.nextFault('storage', { kind: 'status', status: 403 })
    const put = () => fetch(body.upload_url, { method: 'PUT', body: 'x', redirect: 'manual' })
    expect([(await put()).status, (await put()).status]).toEqual([307, 403])
  })
})

describe('a listing with a fault', () => {
  test('is truncated, repeated, empty or endless', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const ids = simulator.web.account().addConversations(100)
    const page = async (offset: number) => {
      const { body } = await client.read('GET', `conversations?offset=${offset}&limit=80`)
      return { total: body.total, ids: body.items.map(({ id }: { id: string }) => id) }
    }
    simulator.web.nextFault('list', { kind: 'truncated', keep: 50, honest: true }, 2)
    expect([await page(0), await page(50)]).toEqual([
      { total: 100, ids: ids.slice(0, 50) },
      { total: 100, ids: [] },
    ])
    simulator.web.nextFault('list', { kind: 'repeated' })
    expect(await page(80)).toEqual({ total: 100, ids: ids.slice(0, 80) })
    simulator.web.nextFault('list', { kind: 'empty' })
    expect(await page(0)).toEqual({ total: 0, ids: [] })
    simulator.web.nextFault('list', { kind: 'endless' })
    expect((await page(900_000)).ids).toHaveLength(80)
  })
})

describe('a history with a fault', () => {
  test('goes in a circle, is huge, or is broken', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const [id = ''] = simulator.web.account().addConversations(1)
    const read = async (kind: 'cyclic' | 'huge' | 'broken') => {
      simulator.web.nextFault('history', { kind })
      return (await client.read('GET', `conversation/${id}`)).body
    }
    const { mapping, current_node } = await read('cyclic')
    let at = current_node
    for (let steps = 0; steps < 10; steps += 1) at = mapping[at].parent
    expect(at).toBeTypeOf('string')
    expect(Object.keys((await read('huge')).mapping)).toHaveLength(100_000)
    expect((await read('broken')).mapping.none).toBe(null)
  })
})

describe('an answer with a fault', () => {
  const faulted = async (words: string) => {
    await using simulator = await aSimulator()
    const response = await aWebClient(simulator).ask(`Why?\n/simulate tokens=30 title=none ${words}`)
    return { response, stream: await response.text().catch((error: unknown) => String(error)) }
  }
  test.each([
    ['fault=401', 401, 'application/json'],
    ['fault=page', 403, 'text/html; charset=utf-8'],
    ['fault=page status=200', 200, 'text/html; charset=utf-8'],
  ])('%s is refused', async (words, status, type) => {
    const { response } = await faulted(words)
    expect([response.status, response.headers.get('content-type')]).toEqual([status, type])
  })
  test('breaks off, has an error in it, no end, or a broken line', async () => {
    expect((await faulted('fault=cut after=5')).stream).toContain('terminated')
    const error = webEventsIn((await faulted('fault=error after=5 message=overloaded')).stream)
    expect(error.slice(-2)).toEqual([{ message: null, error: 'overloaded', code: 'server_error' }, '[DONE]'])
    const { stream } = await faulted('fault=no_done')
    expect(webEventsIn(stream).at(-1)).toMatchObject({ message: { status: 'finished_successfully' } })
    expect((await faulted('fault=malformed after=3')).stream).toContain('data: {"message": {"id": "broken\n')
    expect((await faulted('fault=odd')).stream).toContain('data: ["an","array"]')
    expect((await faulted('fault=huge_line')).stream.length).toBeGreaterThan(1_200_000)
  })
  test('has a message that shrinks, and is kept so', async () => {
    const { stream } = await faulted('fault=shrink after=10')
    const lengths = webEventsIn(stream).map(event =>
      typeof event === 'string' || !event.message ? 0 : textOf(event.message).length,
    )
    expect(lengths.slice(1, -1).some((length, at) => length < (lengths[at] ?? 0) && at > 5)).toBe(true)
    expect(messagesIn(stream)).toHaveLength(2)
  })
  test('that is very long has fewer and larger events', () => {
    const long = growing(aMessage('assistant', text('')), Array<string>(200_000).fill('a'))
    expect([...eventsOf(long)]).toHaveLength(161)
  })
  test('of an account that fails breaks off, and so does every call until it recovers', async () => {
    await using simulator = await aSimulator({ tokens_per_second: 20 })
    const [one, two] = [aWebClient(simulator, 'one'), aWebClient(simulator, 'two')]
    const running = answered(one.ask('/simulate tokens=5000'))
    const other = answered(two.ask('/simulate tokens=30 pace=0'))
    await simulator.waitFor(({ sent, authorization }) => sent !== '' && authorization === 'Bearer one')
    simulator.web.account('one').fail(503)
    await expect(running).rejects.toThrow('terminated')
    expect((await one.send('GET', 'conversations')).status).toBe(503)
    expect((await other).messages).toHaveLength(2)
    simulator.web.account('one').recover()
    expect((await one.send('GET', 'conversations')).status).toBe(200)
  })
})
