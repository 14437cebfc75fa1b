import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '#contract/gateway.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderRelay } from '#server/providers/provider.ts'
import type { Metered } from '#server/providers/relay.ts'
import { aForm, aTool } from '#testing/relay.ts'
import { askingProvider, PROVIDERS, rawUpstream } from '#testing/upstream.ts'

type RelayOptions = Partial<Omit<ProviderRelay, 'upstream' | 'form'>> & {
  dialect?: Dialect
  body?: object
  headers?: Record<string, string>
  upstream?: Partial<ProviderRelay['upstream']>
  signal?: AbortSignal
  tool?: ReturnType<typeof aTool>
}

const BODIES: Record<Dialect, object> = {
  chat: { model: 'mine', messages: [{ role: 'user', content: 'Hello' }] },
  responses: { model: 'mine', input: 'Hello' },
  messages: { model: 'mine', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
}

async function aProvider() {
  const { simulator, endpoint, provider } = await askingProvider(PROVIDERS[0]!)
  async function relay({
    dialect = 'chat',
    body = {},
    headers = {},
    upstream = {},
    signal,
    tool = aTool(),
    ...given
  }: RelayOptions) {
    const { streamed = true } = given
    const sent = { ...BODIES[dialect], ...body, stream: streamed }
    let seen: Metered | null = null
    const asked: ProviderRelay = {
      form: aForm(tool.to, { dialect, body: sent, headers }),
      ...{ streamed, max_output_tokens: null },
      ...given,
      upstream: { ...endpoint, model_name: 'gpt-4', ...PATIENT, ...upstream },
    }
    const refusal = await provider
      .relay?.(asked, metered => (seen = metered), signal ?? new AbortController().signal)
      .then(() => null)
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        return error
      })
    return { ...tool.got, seen: seen as Metered | null, key: refusal?.key ?? null, values: refusal?.values ?? null }
  }
  return { simulator, relay }
}

const PATIENT = {
  connect_timeout: 5,
  first_token_timeout: 5,
  read_timeout: 5,
  ask_timeout: 10,
  max_answer_length: 2_000_000,
}

/** An endpoint that answers with these pieces, each written by itself. */
async function anEndpoint(pieces: readonly (string | Buffer)[], content_type = 'text/event-stream', status = 200) {
  const asked: { url: string; headers: IncomingMessage['headers']; body: unknown }[] = []
  const base_url = await rawUpstream(async (request, response: ServerResponse) => {
    asked.push({ url: request.url ?? '', headers: request.headers, body: await json(request) })
    response.writeHead(status, {
      'content-type': content_type,
      'x-ratelimit-remaining-requests': '7',
      'openai-version': '1',
    })
    for (const piece of pieces) {
      if (!response.write(piece)) await once(response, 'drain')
      await new Promise(resolve => {
        setImmediate(resolve)
      })
    }
    response.end()
  })
  return { base_url, asked }
}

const said = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`
const DONE = 'data: [DONE]\n\n'

describe('a request that is passed on', () => {
  test.each<[Dialect, string, object]>([
    ['chat', '/v1/chat/completions', { authorization: 'Bearer test-key' }],
    ['responses', '/v1/responses', { authorization: 'Bearer test-key' }],
    ['messages', '/v1/messages', { 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' }],
  ])('goes in %s to the address of that, with the key as it wants it', async (dialect, url, headers) => {
    const { relay } = await aProvider()
    const { base_url, asked } = await anEndpoint(['{"error":"no"}'], 'application/json', 400)
    await relay({ dialect, upstream: { base_url }, headers: { 'x-beta': 'a', authorization: 'Bearer of-the-tool' } })
    expect(asked).toMatchObject([{ url, headers: { ...headers, 'x-beta': 'a' } }])
    expect(JSON.stringify(asked)).not.toContain('of-the-tool')
  })

  test.each<Dialect>(['chat', 'responses', 'messages'])(
    'is answered in %s, streamed and not, and its usage is believed',
    async dialect => {
      const { simulator, relay } = await aProvider()
      for (const streamed of [true, false]) {
        simulator.nextAnswer('Good day, 你好.')
        const answered = await relay({ dialect, streamed })
        expect(answered).toMatchObject({ key: null, head: { status: 200 }, seen: { has_output: true } })
        expect(answered.text).toContain('你好')
        expect(answered.seen?.input_tokens).toBeGreaterThan(0)
        expect(answered.seen?.output_tokens).toBeGreaterThan(0)
      }
    },
  )

  test.each<Dialect>(['chat', 'responses', 'messages'])(
    'may be answered in %s by the call of a tool',
    async dialect => {
      const { simulator, relay } = await aProvider()
      const question = '/simulate tool=find'
      const messages = [{ role: 'user', content: question }]
      const body = dialect === 'responses' ? { input: question } : { messages }
      expect(await relay({ dialect, body })).toMatchObject({
        key: null,
        text: expect.stringContaining('find'),
        seen: { has_output: true },
      })
      expect(simulator.journal).toHaveLength(1)
    },
  )
})

describe('a stream', () => {
  const STREAM = `: hello\n\n${said('你')}event: odd\ndata: not json\n\n${said('好')}${said('', 'stop')}${DONE}`

  test.each([1, 2, 5, 64, 10_000])('comes back byte for byte, in pieces of %i bytes', async size => {
    const { relay } = await aProvider()
    const bytes = Buffer.from(STREAM)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_each, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const { base_url } = await anEndpoint(pieces)
    expect(await relay({ upstream: { base_url } })).toMatchObject({
      key: null,
      text: STREAM,
      seen: { counted_tokens: 2 },
    })
  })

  test('comes with none of the headers in which the account says what it has left', async () => {
    const { relay } = await aProvider()
    const { base_url } = await anEndpoint([STREAM])
    expect((await relay({ upstream: { base_url } })).head?.headers).toEqual({ 'openai-version': '1' })
  })

  test('is read no faster than the tool takes it', async () => {
    const { relay } = await aProvider()
    const { base_url } = await anEndpoint([said('a'), said('b'), said('c', 'stop'), DONE])
    let writing = 0
    let most = 0
    const tool = aTool(async () => {
      most = Math.max(most, (writing += 1))
      await new Promise(resolve => {
        setImmediate(resolve)
      })
      writing -= 1
    })
    expect(await relay({ tool, upstream: { base_url } })).toMatchObject({ key: null })
    expect(tool.got.text).toBe(said('a') + said('b') + said('c', 'stop') + DONE)
    expect(most).toBe(1)
  })

  test('that just ends is cut off, with what had passed counted', async () => {
    const { relay } = await aProvider()
    const { base_url } = await anEndpoint([said('abcd')])
    expect(await relay({ upstream: { base_url } })).toMatchObject({
      key: 'openai.cutOff',
      text: said('abcd'),
      seen: { has_output: true, counted_tokens: 1, output_tokens: null },
    })
  })

  test('that has said why it ends is whole without [DONE], and ends with the last event', async () => {
    const { relay } = await aProvider()
    const { base_url } = await anEndpoint([said('a', 'stop')])
    expect(await relay({ upstream: { base_url } })).toMatchObject({ key: null })
    const more = await anEndpoint([said('a', 'stop') + DONE + said('more')])
    expect(await relay({ upstream: { base_url: more.base_url } })).toMatchObject({
      key: null,
      text: said('a', 'stop') + DONE,
    })
  })

  test.each<Dialect>(['chat', 'responses', 'messages'])(
    'that breaks off in %s is told as a refusal, and not passed on',
    async dialect => {
      const { simulator, relay } = await aProvider()
      simulator.nextFault({
        kind: 'error',
        after_tokens: 3,
        shape: 'top',
        code: 'insufficient_quota',
        message: 'secret words',
      })
      const broken = await relay({ dialect })
      expect(broken.key).toBe('openai.quota')
      expect(broken.text).not.toBe('')
      expect(broken.text).not.toContain('secret words')
    },
  )

  test('that is an error from its beginning has not begun', async () => {
    const { simulator, relay } = await aProvider()
    simulator.nextFault({ kind: 'error', after_tokens: 0, shape: 'top', code: 'server_error', message: 'no' })
    expect(await relay({})).toMatchObject({ head: null, text: '', key: 'openai.cutOff' })
  })

  test('of a page in place of an answer is passed to nobody', async () => {
    const { relay } = await aProvider()
    const { base_url } = await anEndpoint(['<!doctype html>\n\n<html>', '</html>\n\n'], 'text/html')
    const answered = await relay({ upstream: { base_url } })
    expect(answered).toMatchObject({ head: null, text: '' })
    expect(answered.key).not.toBe(null)
  })

  test('of comments without an end is given up by the deadline for the first token', async () => {
    const { simulator, relay } = await aProvider()
    simulator.nextFault({ kind: 'slow_first_token', delay_ms: 60_000 })
    expect(await relay({ upstream: { first_token_timeout: 0.3 } })).toMatchObject({ key: 'upstreamTimeout' })
  })

  test('that stops growing is given up, and one that is too long is cut', async () => {
    const { simulator, relay } = await aProvider()
    simulator.nextFault({ kind: 'stall', after_tokens: 3 })
    expect(await relay({ upstream: { read_timeout: 0.3 } })).toMatchObject({
      key: 'upstreamTimeout',
      seen: { has_output: true },
    })
    simulator.nextAnswer('word '.repeat(100))
    expect(await relay({ upstream: { max_answer_length: 50 } })).toMatchObject({ key: 'openai.cutOff' })
  })

  test('that is stopped is no failure, and ends its upstream', async () => {
    const { simulator, relay } = await aProvider()
    const stop = new AbortController()
    simulator.setPace(50)
    simulator.nextAnswer('word '.repeat(1_000))
    const tool = aTool(text => {
      if (text.includes('word')) stop.abort()
      return null
    })
    expect(await relay({ tool, signal: stop.signal })).toMatchObject({ key: null })
    await simulator.waitFor(({ ended }) => ended === 'aborted')
  })
})

describe('an answer that is not streamed', () => {
  test('is passed on when all of it is there', async () => {
    const { relay } = await aProvider()
    const text = '{"choices":[{"message":{"content":"abcd"},"finish_reason":"stop"}], "odd": 1e2}'
    const { base_url } = await anEndpoint([text.slice(0, 20), text.slice(20)], 'application/json')
    expect(await relay({ streamed: false, upstream: { base_url } })).toMatchObject({ key: null, text, writes: 1 })
  })
  test('that is broken, or an error, is passed to nobody', async () => {
    const { relay } = await aProvider()
    const broken = await anEndpoint(['{"choices":[{"mess'], 'application/json')
    expect(await relay({ streamed: false, upstream: { base_url: broken.base_url } })).toMatchObject({
      ...{ head: null, key: 'chatgptResponseError' },
    })
    const failed = await anEndpoint(['{"error":{"code":"insufficient_quota","message":"no"}}'], 'application/json')
    expect(await relay({ streamed: false, upstream: { base_url: failed.base_url } })).toMatchObject({
      ...{ head: null, key: 'openai.quota' },
    })
  })
})

describe('a refusal', () => {
  test.each([
    [400, '{"error":{"message":"Too hot for key sk-abcdefgh1234 at 10.0.0.7:443"}}', 'Too hot for key … at …'],
    [422, '{"detail":"top_k?"}', 'top_k?'],
    [413, '{"error":{"message":"too large"}}', 'too large'],
  ])('of the request is shown as it is, without keys and addresses (%i)', async (status, text, shown) => {
    const { relay } = await aProvider()
    const { base_url } = await anEndpoint([text], 'application/json', status)
    const answered = await relay({ upstream: { base_url } })
    expect(answered.refused).toMatchObject({ status, text: expect.stringContaining(shown) })
    expect(answered.key).not.toBe(null)
  })
  test.each([
    [401, '{"error":{"message":"bad key"}}'],
    [429, '{"error":{"message":"slow down"}}'],
    [400, '{"error":{"message":"Your credit balance is too low to access the API"}}'],
    [500, '{"error":{"message":"oh"}}'],
    [400, '<html>nginx</html>'],
  ])('of the account is not shown (%i)', async (status, text) => {
    const { relay } = await aProvider()
    const { base_url } = await anEndpoint([text], text.startsWith('<') ? 'text/html' : 'application/json', status)
    expect(await relay({ upstream: { base_url } })).toMatchObject({ refused: null, head: null })
  })
  test('of the usage of a stream, which the tool has not asked for, is no refusal', async () => {
    const { simulator, relay } = await aProvider()
    simulator.nextFault({ kind: 'no_usage' })
    expect(await relay({})).toMatchObject({ key: null, refused: null, seen: { output_tokens: null } })
    expect(simulator.journal.map(({ body }) => Object.hasOwn(Object(body), 'stream_options'))).toEqual([true, false])
  })
})
