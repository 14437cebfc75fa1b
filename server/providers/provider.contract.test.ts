import { createServer as createTcpServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { textOf } from '#contract/messages.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from './endpoint.ts'
import { type Provider, type ProviderEvent, requirePort } from './provider.ts'
import { askingProvider, portOf, PROVIDERS, rawUpstream } from '#testing/upstream.ts'

/** Words that only an upstream says; they may name its keys, accounts and addresses. */
const SECRET = 'org-SECRET-4711'

/**
 * What is emitted of the answer: some sources repeat the question before it, tell of their conversation, and name it.
 */
const answerIn = (events: readonly ProviderEvent[]): ProviderEvent[] =>
  events.filter(event => event.type === 'text' || (event.type === 'message' && event.message.role !== 'user'))

for (const each of PROVIDERS) {
  const asking = () => askingProvider(each)

  describe(`${each.source}: a reply`, () => {
    test('begins with a whole message and ends with the same one, complete', async () => {
      const { reply, simulator } = await asking()
      simulator.nextAnswer('你好，**世界**。')
      const { events, text, last, refusal } = await reply('hello')
      expect(refusal).toBe(null)
      const messages = answerIn(events).filter(event => event.type === 'message')
      expect(messages[0]).toMatchObject({ message: { role: 'assistant', parent: 'question' } })
      expect(messages.at(-1)).toMatchObject({ message: { id: messages[0]?.message.id, parent: 'question' } })
      expect(answerIn(events).at(-1)).toBe(messages.at(-1))
      expect(textOf(last!)).toBe('你好，**世界**。')
      expect(text).toBe('你好，**世界**。')
      expect(last?.metadata).toMatchObject({ source: each.source, ...each.ended.whole })
    })

    test('is appended to in between, without gap or repeat', async () => {
      const { reply, simulator } = await asking()
      const { events } = await reply('/simulate tokens=3000')
      const appended = events.map(event => (event.type === 'text' ? event.text : '')).join('')
      expect(appended).toBe(simulator.journal[0]?.sent)
      expect(appended.length).toBeGreaterThan(3000)
    })

    test('without any text is refused', async () => {
      const { reply, simulator } = await asking()
      simulator.nextAnswer('')
      expect((await reply('hello')).refusal).toMatchObject({ key: 'chatgptResponseError' })
    })

    test('ends without a further message when it is stopped, and the upstream sees it', async () => {
      const { reply, simulator } = await asking()
      simulator.setPace(50)
      const stop = new AbortController()
      const { events } = await reply('/simulate tokens=5000', {}, stop.signal, event => {
        if (event.type === 'text') stop.abort('stopped')
      })
      expect(answerIn(events).map(event => event.type)).toEqual(['message', 'text'])
      await simulator.waitFor(entry => entry.ended === 'aborted')
    })

    test('is stopped as well while the upstream is silent', async () => {
      const { reply, simulator } = await asking()
      simulator.nextFault({ kind: 'silence' })
      const stop = new AbortController()
      const replied = reply('hello', {}, stop.signal)
      await simulator.waitFor(entry => entry.ended === 'open')
      stop.abort('stopped')
      const { events, refusal } = await replied
      expect([answerIn(events), refusal]).toEqual([[], null])
      await simulator.waitFor(entry => entry.ended === 'aborted')
    })

    test('is cut at max_answer_length and says so', async () => {
      const { reply, simulator } = await asking()
      simulator.nextAnswer(`${'一二三四五六七八九十'.repeat(500)}`)
      const { text, last, refusal } = await reply('long', { max_answer_length: 1234 })
      expect(refusal).toBe(null)
      expect(text).toHaveLength(1234)
      expect(last?.metadata).toMatchObject(each.ended.cut)
    })

    test('is never cut inside a character', async () => {
      const { reply, simulator } = await asking()
      simulator.nextAnswer('😀'.repeat(2000))
      const { text } = await reply('long', { max_answer_length: 1001 })
      expect(text).toBe('😀'.repeat(500))
    })
  })

  describe(`${each.source}: an upstream that refuses`, () => {
    const refusals = [
      [400, 'openai.400'],
      [401, 'openai.401'],
      [403, 'openai.403'],
      [404, 'openai.404'],
      [429, 'openai.429'],
      [500, 'openai.500'],
      [502, 'openai.500'],
      [503, 'openai.500'],
      [529, 'openai.500'],
      [418, 'openai.unknown'],
    ] as const
    for (const [status, key] of refusals) {
      test(`with ${status} becomes ${key}, in our words`, async () => {
        const { reply, simulator } = await asking()
        simulator.nextFault({
          kind: 'status',
          status,
          body: JSON.stringify({ error: { message: SECRET, code: SECRET } }),
        })
        const { refusal, events } = await reply('hello')
        expect(refusal).toMatchObject({ key, values: { status } })
        expect(JSON.stringify(refusal)).not.toContain(SECRET)
        expect(events).toEqual([])
        expect(simulator.journal).toHaveLength(1)
      })
    }

    test('with 429 tells when to come again, if it said so', async () => {
      const { reply, simulator } = await asking()
      simulator.nextFault({ kind: 'status', status: 429, retry_after_seconds: 17 })
      expect((await reply('hello')).refusal).toMatchObject({
        key: 'openai.429',
        values: { status: 429, retry_after_seconds: 17 },
      })
      simulator.nextFault({ kind: 'status', status: 429 })
      expect((await reply('hello')).refusal?.values).toEqual({ status: 429 })
    })

    test('with a date to come again at is understood, and believed for a week at most', async () => {
      const { reply } = await asking()
      let retryAfter = new Date(Date.now() + 90_500).toUTCString()
      const base_url = await rawUpstream((_request, response) => {
        response.writeHead(429, { 'retry-after': retryAfter }).end()
      })
      const { retry_after_seconds } = (await reply('hello', { base_url })).refusal!.values
      expect(retry_after_seconds).toBeGreaterThan(80)
      expect(retry_after_seconds).toBeLessThanOrEqual(91)
      retryAfter = '9999999'
      expect((await reply('hello', { base_url })).refusal?.values).toMatchObject({ retry_after_seconds: 604_800 })
      for (retryAfter of ['soon', '99999999'])
        expect((await reply('hello', { base_url })).refusal?.values).toEqual({ status: 429 })
    })

    for (const [name, body] of [
      ['a page', `<html>${SECRET}</html>`],
      ['nothing', ''],
    ] as const) {
      test(`with ${name} in place of an answer is a refusal like any other`, async () => {
        const { reply, simulator } = await asking()
        simulator.nextFault({ kind: 'status', status: 500, body })
        const { refusal } = await reply('hello')
        expect(refusal).toMatchObject({ key: 'openai.500' })
        expect(JSON.stringify(refusal)).not.toContain(SECRET)
      })
    }

    test('by a redirect is not followed', async () => {
      const { reply, simulator } = await asking()
      const base_url = await rawUpstream((_request, response) => {
        response.writeHead(307, { location: `${simulator.url}chat/completions` }).end()
      })
      expect((await reply('hello', { base_url })).refusal).toMatchObject({ key: 'openai.unknown' })
      expect(simulator.journal).toEqual([])
    })
  })

  describe(`${each.source}: an upstream that is not there`, () => {
    test('is httpError when nobody listens', async () => {
      const { reply } = await asking()
      const gone = createTcpServer()
      const port = await portOf(gone)
      await new Promise(resolve => {
        gone.close(resolve)
      })
      expect((await reply('hello', { base_url: `http://127.0.0.1:${port}/v1/` })).refusal).toMatchObject({
        key: 'httpError',
        values: {},
      })
    })

    test('is given up when it takes no connection', async () => {
      const { reply } = await asking()
      // It never answers the TLS handshake, which is part of connecting.
      const port = await portOf(createTcpServer(socket => socket.on('error', () => {})))
      const { refusal } = await reply('hello', { base_url: `https://127.0.0.1:${port}/v1/`, connect_timeout: 0.1 })
      expect(refusal).toMatchObject({ key: 'upstreamTimeout', values: { setting: each.deadlines.connect } })
    })

    test('is given up when it stays silent, or its first byte is too late', async () => {
      const { reply, simulator } = await asking()
      for (const fault of [{ kind: 'silence' }, { kind: 'slow_first_byte', delay_ms: 60_000 }] as const) {
        simulator.nextFault(fault)
        expect((await reply('hello', { first_token_timeout: 0.1 })).refusal).toMatchObject({
          key: 'upstreamTimeout',
          values: { setting: each.deadlines.first_token },
        })
        const entry = simulator.journal.at(-1)
        await simulator.waitFor(candidate => candidate.id === entry?.id && candidate.ended === 'aborted')
      }
    })

    test('is given up when it stalls, with or without a token; what came before is kept', async () => {
      const { reply, simulator } = await asking()
      for (const after_tokens of [0, 5]) {
        simulator.nextFault({ kind: 'stall', after_tokens })
        const { refusal, text } = await reply('/simulate tokens=50', { first_token_timeout: 0.5, read_timeout: 0.5 })
        const setting = after_tokens === 0 ? each.deadlines.first_token : each.deadlines.pause
        expect(refusal).toMatchObject({ key: 'upstreamTimeout', values: { setting } })
        expect(text).toBe(simulator.journal.at(-1)?.sent)
        expect(text === '').toBe(after_tokens === 0)
      }
    })

    test('is given up when it drips on for longer than a whole answer may take', async () => {
      const { reply, simulator } = await asking()
      const { refusal, text } = await reply('/simulate tokens=5000 pace=40', { read_timeout: 1, ask_timeout: 1.5 })
      expect(refusal).toMatchObject({ key: 'upstreamTimeout', values: { setting: each.deadlines.whole } })
      expect(text).not.toBe('')
      await simulator.waitFor(entry => entry.ended === 'aborted')
    })

    test('is httpError when it breaks off; what came before is kept', async () => {
      const { reply, simulator } = await asking()
      simulator.nextFault({ kind: 'cut', after_tokens: 7 })
      const { refusal, text } = await reply('/simulate tokens=50')
      expect(refusal).toMatchObject({ key: 'httpError' })
      expect(text).toBe(simulator.journal[0]?.sent)
      expect(text).not.toBe('')
    })
  })

  describe(`${each.source}: an answer that is not whole`, () => {
    test('is kept as far as it came, and none of the words of an error', async () => {
      const { reply, simulator } = await asking()
      for (const [code, key] of [
        ['internal_error', 'openai.cutOff'],
        ['insufficient_quota', 'openai.quota'],
      ]) {
        simulator.nextFault({
          kind: 'error',
          after_tokens: 5,
          shape: 'top',
          code: code ?? '',
          message: `${code} ${SECRET}`,
        })
        const { text, last, refusal } = await reply('/simulate tokens=50')
        expect(refusal).toMatchObject({ key })
        expect(JSON.stringify(refusal)).not.toContain(SECRET)
        expect(text).toBe(simulator.journal.at(-1)?.sent)
        expect(textOf(last!)).toBe(text)
        expect(text).not.toBe('')
      }
    })

    test('is one whose body ends before anybody said that it is over', async () => {
      const { reply, simulator } = await asking()
      simulator.nextFault({ kind: 'finish', after_tokens: 5, reason: null, done: false })
      const { text, refusal } = await reply('/simulate tokens=50')
      expect(refusal).toMatchObject({ key: 'openai.cutOff', values: { reason: 'end_of_body' } })
      expect(text).toBe(simulator.journal[0]?.sent)
    })
  })

  describe(`${each.source}: a test of an upstream`, () => {
    const testing = async (endpoint: Partial<ProviderEndpoint> = {}, signal = new AbortController().signal) => {
      const { provider, ...asked } = await asking()
      return requirePort(provider, 'test')({ ...asked.endpoint, ...endpoint }, signal)
    }

    test('passes where it answers and takes the key, without asking anything', async () => {
      const { provider, endpoint, simulator } = await asking()
      await requirePort(provider, 'test')(endpoint, new AbortController().signal)
      expect(simulator.journal).toMatchObject([{ path: each.tested_path, body: null }])
    })

    test.runIf(each.lists_models)('passes where it has no list of models but answers questions', async () => {
      const base_url = await rawUpstream((request, response) => {
        response.writeHead(request.method === 'POST' ? 400 : 404).end()
      })
      await testing({ base_url })
    })

    for (const [status, key] of [
      [401, 'openai.401'],
      [403, 'openai.403'],
      [404, 'openai.404'],
      [429, 'openai.429'],
      [500, 'openai.500'],
    ] as const) {
      test(`fails with ${key} where it refuses with ${status}`, async () => {
        const base_url = await rawUpstream((_request, response) => {
          response.writeHead(status).end(SECRET)
        })
        await expect(testing({ base_url })).rejects.toMatchObject({ key, values: { status } })
      })
    }

    test('fails in words where nobody is, or no such endpoint', async () => {
      await expect(testing({ base_url: 'http://127.0.0.1:9/v1/' })).rejects.toMatchObject({ key: 'httpError' })
      const page = await rawUpstream((_request, response) => {
        response.end('<html>')
      })
      await expect(testing({ base_url: page })).rejects.toMatchObject({ key: 'openai.webPage' })
    })

    test('ends when it is stopped, though the host never answers', async () => {
      const base_url = await rawUpstream(() => undefined)
      const stop = new AbortController()
      const tested = testing({ base_url }, stop.signal)
      setImmediate(() => stop.abort())
      await expect(tested).rejects.toMatchObject({ key: 'upstreamTimeout' })
    })
  })

  describe.runIf(each.lists_models)(`${each.source}: the list of models`, () => {
    test('is what the upstream has', async () => {
      const { provider, endpoint } = await asking()
      const listed = await requirePort(provider, 'models')(endpoint, new AbortController().signal)
      expect(listed.length).toBeGreaterThan(0)
    })
  })
}

describe('a port that a source does not have', () => {
  test('is refused in words, and so is one of a source without a provider', () => {
    const bare: Provider = { reply: () => Promise.resolve() }
    for (const provider of [bare, null])
      expect(() => requirePort(provider, 'test')).toThrow(new Refusal('notSupportedBySource'))
  })
})
