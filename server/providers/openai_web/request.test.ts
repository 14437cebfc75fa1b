import type { RequestListener } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { hungUp, upstream } from '#testing/outboundRequests.ts'
import type { ProviderEndpoint } from '../endpoint.ts'
import type { Fields } from '../looseJson.ts'
import { UpstreamRefusal } from '../upstreamRefusal.ts'
import { openWebRequests, pathPart, type WebRequest } from './request.ts'

const outbound = openOutbound()
afterAll(() => outbound.close())

const LIST = { method: 'GET', path: 'conversations', query: { offset: 0, limit: 1 } } as const
const WALL = '<html><title>Just a moment...</title></html>'

async function asked(
  answer: RequestListener,
  request: WebRequest = LIST,
  common_timeout = 20,
  read: (answer: Fields) => Fields | null = answer => answer,
) {
  const at = await upstream(answer)
  const endpoint: ProviderEndpoint = {
    base_url: `${at.url}/web/`,
    key: 'secret-token',
    key_header: null,
    proxy: null,
    addresses: 'any',
    web: { team_account_id: 'team-1', wss_proxy: null, common_timeout },
  }
  const ask = openWebRequests(outbound)
  const outcome = await ask(endpoint, request, read, new AbortController().signal).catch((error: unknown) => error)
  return { ...at, outcome }
}

const refusal = (key: string, said: object | null, values: object = {}) =>
  expect.objectContaining({
    key,
    ...(said !== null && { cause: expect.objectContaining({ said }) }),
    values: expect.objectContaining(values),
  })

describe('a request to a web account', () => {
  test('has token and team, and gives the object that is answered', async () => {
    const request: WebRequest = { method: 'PATCH', path: 'conversation/a', body: { title: '标题' } }
    const { outcome, requests } = await asked((_request, response) => response.end('\uFEFF{"success":true}'), request)
    expect(outcome).toEqual({ success: true })
    expect(requests[0]).toMatchObject({
      method: 'PATCH',
      url: '/web/conversation/a',
      headers: {
        authorization: 'Bearer secret-token',
        'chatgpt-account-id': 'team-1',
        'content-type': 'application/json',
        accept: 'application/json',
      },
    })
  })

  test.each([
    [401, 'openai.401'],
    [403, 'openai.webPage'],
    [404, 'openai.webPage'],
    [503, 'openai.webPage'],
  ])('that a page answers with %i is refused as an ask would be', async (status, key) => {
    const { outcome } = await asked((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end(WALL)
    })
    expect(outcome).toEqual(refusal(key, { status, content_type: 'text/html' }, { status }))
  })

  test('that is too much says when to come again, and nothing of the words of the upstream', async () => {
    const { outcome } = await asked((_request, response) => {
      response.writeHead(429, { 'retry-after': '40', 'content-type': 'application/json' })
      response.end('{"detail":{"message":"a@b.example asks too much","code":"rate_limit_exceeded"}}')
    })
    expect(outcome).toEqual(
      refusal(
        'openai.429',
        { status: 429, content_type: 'application/json', code: 'rate_limit_exceeded' },
        { retry_after_seconds: 40 },
      ),
    )
    expect(outcome instanceof Refusal && outcome.cause instanceof UpstreamRefusal && outcome.cause.message).not.toMatch(
      /a@b/,
    )
  })

  test.each([
    ['a list', '[]'],
    ['half an object', '{"items":['],
    ['nothing', ''],
  ])('gets no object out of %s', async (_name, body) => {
    const { outcome } = await asked((_request, response) => response.end(body))
    expect(outcome).toEqual(refusal('openai.unknown', { status: 200, content_type: 'none' }))
  })

  test('whose answer does not say what was asked for is refused', async () => {
    const { outcome } = await asked(
      (_request, response) => response.end('{}'),
      LIST,
      20,
      () => null,
    )
    expect(outcome).toEqual(refusal('openai.unknown', { status: 200, content_type: 'none' }))
  })

  test('follows no redirect', async () => {
    const { outcome, requests } = await asked((_request, response) => {
      response.writeHead(302, { location: '/web/login' }).end()
    })
    expect(outcome).toEqual(refusal('openai.unknown', { status: 302, content_type: 'none' }))
    expect(requests).toHaveLength(1)
  })

  test('reads no more of an endless answer than is of use, and hangs up', async () => {
    const { outcome, first } = await asked(
      (_request, response) => {
        const send = (): void => {
          while (response.write('x'.repeat(10_000)));
        }
        response.on('drain', send)
        send()
      },
      { ...LIST, max_bytes: 100_000 },
    )
    expect(outcome).toEqual(refusal('openai.unknown', { status: 200, content_type: 'none' }))
    await hungUp(first)
  })

  test('waits no longer than common_timeout for all of it, however much trickles in', async () => {
    const { outcome, first } = await asked(
      (_request, response) => {
        const trickle = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(trickle))
      },
      LIST,
      0.2,
    )
    expect(outcome).toEqual(refusal('upstreamTimeout', null, { setting: 'openai_web.common_timeout' }))
    await hungUp(first)
  })

  test('that reaches nobody is refused in words', async () => {
    const outcome = openWebRequests(outbound)(
      { base_url: 'http://127.0.0.1:1/', key: null, key_header: null, proxy: null, addresses: 'any' },
      LIST,
      answer => answer,
      new AbortController().signal,
    )
    await expect(outcome).rejects.toEqual(refusal('httpError', null))
  })
})

describe('an id in a path', () => {
  test.each(['6b1cb5a9-9e4c-4b7a-8f3a-6f1d1f3f9a10', 'file-AbC123', 'plugin-1.2_3~4', 'a'.repeat(200)])(
    'stands as it is: %s',
    id => {
      expect(pathPart(id)).toBe(id)
    },
  )
  test.each(['', '.', '..', '../me', 'a/b', 'a?b', 'a#b', 'a%2fb', 'a\\b', 'a b', '会话', 'a'.repeat(201)])(
    'that leads elsewhere is nothing the upstream has: %j',
    id => {
      expect(() => pathPart(id)).toThrow(expect.objectContaining({ key: 'openai.404' }))
    },
  )
})
