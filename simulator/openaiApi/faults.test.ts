import { describe, expect, test } from 'vitest'
import { answerOf, aSimulator, ask, eventsIn, textIn } from '../client.testing.ts'
import type { Fault } from '../foundation/faults.ts'

const TEN_WORDS = 'a b c d e f g h i j'

describe('a status fault', () => {
  test('answers in the error shape, with Retry-After, as often as asked and no more', async () => {
    await using simulator = await aSimulator()
    simulator.nextFault({ kind: 'status', status: 429, retry_after_seconds: 20 }, 2)
    for (let time = 0; time < 2; time += 1) {
      const response = await ask(simulator, 'hi')
      expect(response.status).toBe(429)
      expect(response.headers.get('retry-after')).toBe('20')
      expect(await response.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    }
    expect((await ask(simulator, 'hi')).status).toBe(200)
  })
  test('can answer a page, or nothing', async () => {
    await using simulator = await aSimulator()
    simulator.nextFault({ kind: 'status', status: 502, body: '<html>Bad gateway</html>' })
    simulator.nextFault({ kind: 'status', status: 500, body: '' })
    const page = await ask(simulator, 'hi')
    expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
      502,
      'text/html',
      '<html>Bad gateway</html>',
    ])
    const empty = await ask(simulator, 'hi')
    expect([empty.status, await empty.text()]).toEqual([500, ''])
  })
})

describe('a silent upstream', () => {
  test('answers neither headers nor bytes until the client goes', async () => {
    await using simulator = await aSimulator()
    simulator.nextFault({ kind: 'silence' })
    const client = new AbortController()
    const asked = ask(simulator, 'hi', {}, { signal: client.signal })
    const entry = await simulator.waitFor(seen => seen.id === 1)
    expect(entry.ended).toBe('open')
    client.abort()
    await expect(asked).rejects.toThrow()
    expect(await simulator.waitFor(seen => seen.ended === 'aborted')).toMatchObject({
      sent: '',
      abortedAt: expect.any(Number),
    })
  })
  test('may fall silent after headers alone', async () => {
    await using simulator = await aSimulator()
    simulator.nextFault({ kind: 'stall', after_tokens: 0 })
    const response = await ask(simulator, 'hi')
    expect(response.status).toBe(200)
    await response.body?.cancel()
    expect((await simulator.waitFor(seen => seen.ended === 'aborted')).sent).toBe('')
  })
  test('may fall silent after some tokens', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer(TEN_WORDS)
    simulator.nextFault({ kind: 'stall', after_tokens: 3 })
    const response = await ask(simulator, 'hi')
    const entry = await simulator.waitFor(seen => seen.sent !== '')
    expect(entry).toMatchObject({ sent: 'a b c', ended: 'open' })
    await response.body?.cancel()
  })
})

describe('a slow first byte', () => {
  test('comes after the delay, and then the whole answer', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer('late')
    simulator.nextFault({ kind: 'slow_first_byte', delay_ms: 20 })
    expect(await answerOf(simulator, 'hi')).toBe('late')
  })
  test('lets other questions pass it', async () => {
    await using simulator = await aSimulator()
    simulator.nextFault({ kind: 'slow_first_byte', delay_ms: 60_000 })
    const client = new AbortController()
    const slow = ask(simulator, 'slow', {}, { signal: client.signal })
    await simulator.waitFor(entry => entry.id === 1)
    expect(await answerOf(simulator, 'quick')).not.toBe('')
    expect(simulator.journal[0]).toMatchObject({ sent: '', ended: 'open' })
    client.abort()
    await expect(slow).rejects.toThrow()
  })
})

describe('a cut', () => {
  test('breaks the connection after the tokens that still arrive', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer(TEN_WORDS)
    simulator.nextFault({ kind: 'cut', after_tokens: 4 })
    const response = await ask(simulator, 'hi')
    let seen = ''
    await expect(
      (async () => {
        for await (const part of response.body ?? []) seen += Buffer.from(part).toString()
      })(),
    ).rejects.toThrow()
    expect(textIn(seen)).toBe('a b c d')
    expect(simulator.journal[0]).toMatchObject({ sent: 'a b c d', ended: 'fault' })
  })
})

describe('a faulty stream that goes on', () => {
  test('malformed: one line is no JSON, the text is whole', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer(TEN_WORDS)
    simulator.nextFault({ kind: 'malformed', after_tokens: 2 })
    const stream = await (await ask(simulator, 'hi')).text()
    expect(eventsIn(stream).filter(event => typeof event === 'string')).toHaveLength(2)
    expect(textIn(stream)).toBe(TEN_WORDS)
  })
  test('huge line: one line is longer than a megabyte', async () => {
    await using simulator = await aSimulator()
    simulator.nextFault({ kind: 'huge_line' })
    const stream = await (await ask(simulator, 'hi')).text()
    expect(Math.max(...stream.split('\n').map(line => line.length))).toBeGreaterThan(1_048_576)
  })
  test('no done: the stream ends without its mark', async () => {
    await using simulator = await aSimulator()
    simulator.nextFault({ kind: 'no_done' })
    const stream = await (await ask(simulator, 'hi')).text()
    expect(stream).not.toContain('[DONE]')
    expect(eventsIn(stream).at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
  })
})

describe('an odd stream', () => {
  test('is valid: CR LF, comments, [DONE] in the text, null content, chunks without choices', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer('重点 in front')
    simulator.nextFault({ kind: 'odd' })
    const stream = await (await ask(simulator, 'hi')).text()
    expect(stream.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(stream).toContain('\r\n: keep-alive\r\n')
    expect(stream).toContain('"content":null')
    expect(eventsIn(stream).filter(event => typeof event !== 'string' && event.choices.length === 0)).toHaveLength(2)
    expect(textIn(stream)).toContain('[DONE]')
    expect(textIn(stream)).toMatch(/重点 in front$/)
    expect(simulator.journal[0]?.sent).toBe(textIn(stream))
  })
  test('breaks characters between two writes', async () => {
    await using simulator = await aSimulator({ tokens_per_second: 100 })
    simulator.nextAnswer('重点'.repeat(10))
    simulator.nextFault({ kind: 'odd' })
    const response = await ask(simulator, 'hi')
    let broken = 0
    for await (const part of response.body ?? []) {
      if (Buffer.from(part).toString().includes('\uFFFD')) broken += 1
    }
    expect(broken).toBeGreaterThan(0)
  })
})

describe('a directive in the question', () => {
  const named: [string, Fault['kind']][] = [
    ['fault=429', 'status'],
    ['fault=no_done', 'no_done'],
  ]
  for (const [words, kind] of named) {
    test(`${words} makes the fault "${kind}"`, async () => {
      await using simulator = await aSimulator()
      const response = await ask(simulator, `Please fail.\n/simulate ${words}`)
      expect(response.status === 429 || !(await response.text()).includes('[DONE]')).toBe(true)
    })
  }
  test('sets the exact length', async () => {
    await using simulator = await aSimulator()
    const stream = await (await ask(simulator, 'tell me\n/simulate tokens=321')).text()
    expect(eventsIn(stream)).toHaveLength(321 + 3)
  })
  test('is not part of the question', async () => {
    await using simulator = await aSimulator()
    expect(await answerOf(simulator, '/simulate echo\n# 标题\n\n`code`')).toBe('# 标题\n\n`code`')
  })
})
