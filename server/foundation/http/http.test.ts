import { once } from 'node:events'
import { connect } from 'node:net'
import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { type Call, nothing } from '#contract/call.ts'
import { anEdge, readThing, type Edge } from '#testing/edge.ts'
import { Refusal } from '../refusal.ts'

const failing = {
  ...nothing,
  access: 'anyone',
  method: 'GET',
  path: '/failing',
  summary: 'Fails.',
  result: z.unknown(),
} as const satisfies Call
const slow = { ...failing, path: '/slow' } as const satisfies Call

describe('an answer', () => {
  test('with data is wrapped as a success', async () => {
    const { call } = await anEdge()
    const { status, envelope } = await call('/api/thing/7?color=red', { as: 'ann' })
    expect(status).toBe(200)
    expect(envelope).toEqual({ code: 200, message: 'tips.requestSuccess', result: { id: '7', color: 'red', user: 1 } })
  })
  test('without data has an empty message', async () => {
    const { call } = await anEdge()
    expect((await call('/api/thing', { method: 'DELETE', as: 'sue' })).envelope).toEqual({
      code: 200,
      message: '',
      result: null,
    })
  })
  test('names the request, each time anew', async () => {
    const { call } = await anEdge()
    const ids = [await call('/api/thing/7'), await call('/api/nowhere')].map(({ headers }) =>
      headers.get('x-request-id'),
    )
    expect(ids.every(Boolean)).toBe(true)
    expect(new Set(ids).size).toBe(2)
  })
  test('cannot be registered twice', async () => {
    await expect(anEdge({}, http => http.answer(readThing, () => ({ id: '', user: 1 })))).rejects.toThrow(
      'GET /thing/:id has two answers',
    )
  })
  test('leaves a line in the log without anything of what was asked', async () => {
    const { call, lines, http } = await anEdge()
    const { headers } = await call('/api/thing/7777?color=mauve', { as: 'ann' })
    await http.close()
    expect(lines).toMatchObject([
      { level: 'debug', request: headers.get('x-request-id'), method: 'GET', route: '/thing/:id', code: 200 },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/7777|mauve|commons_session/)
  })
  test('is known by method and path', async () => {
    expect([...(await anEdge()).http.answered]).toEqual([
      'GET /thing/:id',
      'POST /thing',
      'POST /thing/open',
      'DELETE /thing',
    ])
  })
})

describe('a refusal', () => {
  test('is answered with its code and HTTP status 200', async () => {
    const { call } = await anEdge({}, http =>
      http.answer(failing, () => {
        throw new Refusal('userAlreadyExists', { username: 'ann' })
      }),
    )
    const { status, envelope } = await call('/api/failing')
    expect(status).toBe(200)
    expect(envelope).toEqual({
      code: -1,
      message: 'errors.userAlreadyExists',
      result: 'username: ann',
      values: { username: 'ann' },
    })
  })
  test('that names a time says it to proxies as well', async () => {
    const { call } = await anEdge({}, http =>
      http.answer(failing, () => {
        throw new Refusal('tooManyRequests', { retry_after_seconds: 9 })
      }),
    )
    expect((await call('/api/failing')).headers.get('retry-after')).toBe('9')
  })
})

describe('an unexpected error', () => {
  const broken = (edge: Parameters<typeof anEdge>[0] = {}) =>
    anEdge(edge, http => {
      http.answer(failing, async () => {
        throw new TypeError('the secret is sk-12345678')
      })
    })
  test('is answered as internal, with the name of the request and nothing else', async () => {
    const { call } = await broken()
    const { status, envelope, headers } = await call('/api/failing')
    expect(status).toBe(200)
    expect(envelope).toMatchObject({
      code: -1,
      message: 'errors.internal',
      values: { request_id: headers.get('x-request-id') },
    })
  })
  test('is logged under that name, and counted', async () => {
    const { call, lines, metrics } = await broken()
    const { headers } = await call('/api/failing?secret=geheim')
    const line = lines.find(({ level }) => level === 'error')
    expect(line).toMatchObject({
      request: headers.get('x-request-id'),
      route: '/api/failing',
      err: { type: 'TypeError' },
    })
    expect(JSON.stringify(lines)).not.toMatch(/geheim|sk-12345678/)
    expect((await metrics.unexpectedErrors.get()).values[0]?.value).toBe(1)
  })
  test('is logged without its stack where that is not wanted', async () => {
    const { call, lines } = await broken({ printTraceback: () => false })
    await call('/api/failing')
    expect(lines.find(({ level }) => level === 'error')).toMatchObject({ err: 'TypeError' })
  })
})

describe('access', () => {
  test.each([
    ['/api/thing/7', 'GET', undefined, 'errors.userNotLogin'],
    ['/api/thing/7', 'GET', 'nobody', 'errors.loginExpired'],
    ['/api/thing/7', 'GET', 'ann', 'tips.requestSuccess'],
    ['/api/thing', 'DELETE', undefined, 'errors.userNotLogin'],
    ['/api/thing', 'DELETE', 'nobody', 'errors.loginExpired'],
    ['/api/thing', 'DELETE', 'ann', 'errors.authorityDeny'],
    ['/api/thing', 'DELETE', 'sue', ''],
  ])('to %s by %s as %s is answered with %j', async (path, method, as, message) => {
    const { call } = await anEdge()
    expect((await call(path, { method, as })).envelope.message).toBe(message)
  })
  test('is decided before anything of the body is read', async () => {
    const { call } = await anEdge()
    expect(
      (await call('/api/thing', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }))
        .envelope.code,
    ).toBe(10401)
  })
  test('by anyone tells who it is, if it is somebody', async () => {
    const { call } = await anEdge()
    const body = new URLSearchParams({ word: 'hello' })
    expect((await call('/api/thing/open', { method: 'POST', body })).envelope.result).toEqual({
      word: 'hello',
      user: null,
    })
    expect((await call('/api/thing/open', { method: 'POST', body, as: 'ann' })).envelope.result).toEqual({
      word: 'hello',
      user: 1,
    })
  })
})

describe('an address under /api', () => {
  test.each(['/api', '/api/', '/api/nowhere', '/api/thing/7/', '/api/THING/7', '/api//thing/7', '/api/thing/7/x'])(
    '%s is not found',
    async path => {
      const { call } = await anEdge()
      const { status, envelope } = await call(path, { as: 'ann', headers: { accept: 'text/html' } })
      expect(status).toBe(200)
      expect(envelope).toEqual({ code: 404, message: 'errors.resourceNotFound', result: null })
    },
  )
  test('answers to its own methods only, and names them', async () => {
    const { call } = await anEdge()
    const { envelope, headers } = await call('/api/thing', { method: 'PATCH', as: 'ann' })
    expect(envelope).toEqual({ code: 405, message: 'errors.methodNotAllowed', result: null })
    expect(headers.get('allow')).toBe('POST, DELETE')
    expect((await call('/api/thing/7', { method: 'DELETE', as: 'ann' })).envelope.code).toBe(405)
  })
  test('that is not one at all is refused', async () => {
    const { call } = await anEdge()
    expect((await call('/api/thing/%zz', { as: 'ann' })).envelope.code).toBe(422)
    for (const query of ['color=%ff', 'color=100%', 'other=%zz&color=x']) {
      expect((await call(`/api/thing/7?${query}`, { as: 'ann' })).envelope, query).toMatchObject({
        code: 422,
        detail: [{ loc: ['query'] }],
      })
    }
    expect((await call('/api/thing/7?color=100%25+%E7%BA%A2', { as: 'ann' })).envelope.result).toMatchObject({
      color: '100% 红',
    })
    expect((await call(`/api/thing/${'7'.repeat(1000)}`, { as: 'ann' })).envelope.code).toBe(404)
  })
})

describe('what is no request', () => {
  test('is answered with a status of its own', async () => {
    const edge = await anEdge()
    expect(await raw(edge, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"errors\.invalidRequest"/s)
    expect(await raw(edge, `GET /api/thing/7 HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    )
  })
  test('leaves the others alone', async () => {
    const edge = await anEdge()
    await raw(edge, 'GET / HTTP/9.9\r\n\r\n')
    expect((await edge.call('/api/thing/7', { as: 'ann' })).envelope.code).toBe(200)
  })
})

describe('a slow client', () => {
  test('has a time for its headers, for its whole request, and for doing nothing', async () => {
    const { server } = (await anEdge()).http.fastify
    expect([
      server.headersTimeout,
      server.requestTimeout,
      server.keepAliveTimeout,
      server.maxRequestsPerSocket,
    ]).toEqual([15_000, 60_000, 65_000, 1000])
  })
})

describe('a stop', () => {
  test('lets what is under way end, and takes nothing new', async () => {
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
    const { promise: go, resolve: letGo } = Promise.withResolvers<void>()
    const { http, url, call } = await anEdge({}, each =>
      each.answer(slow, async () => {
        isAsked()
        await go
        return 'done'
      }),
    )
    const answer = call('/api/slow')
    await asked
    const closed = http.close()
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    letGo()
    expect((await answer).envelope.result).toBe('done')
    await closed
  })
  test('does not wait for ever', async () => {
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
    const { http, call } = await anEdge({}, each =>
      each.answer(slow, () => {
        isAsked()
        return new Promise<never>(() => {})
      }),
    )
    const answer = call('/api/slow').catch(error => error)
    await asked
    await http.close(10)
    expect(await answer).toBeInstanceOf(Error)
  })
})

/** Sends these very characters and gives all that comes back. */
async function raw({ url }: Edge, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket
    .setEncoding('utf8')
    .on('data', piece => {
      answer += piece
    })
    .on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return answer
}
