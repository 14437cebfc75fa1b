import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { anEdge } from '#testing/edge.ts'
import { edgeWithSockets } from '#testing/edgeSockets.ts'
import { rawRequest } from '#testing/rawRequest.ts'

const ODD_VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  '\u202e',
  '😀',
  '\ud800',
  'a\u0000b',
  [],
  [[]],
  {},
  { a: 1 },
  { name: { name: 'x' } },
  '; drop table users',
  '${7*7}',
  '../../etc/passwd',
  '%00',
  'x'.repeat(10_000),
]
const ODD_BODIES = [
  '',
  ' ',
  '{',
  '}',
  '[]',
  '[',
  '"',
  'null',
  'true',
  '1e400',
  '{"name":"x"',
  '{"name":"x"}}',
  '{"name":"x",}',
  '{"name":1e400}',
  '\ufeff{"name":"x"}',
  '{"__proto__":{"name":"x"}}',
  '{"constructor":{"prototype":{"name":"x"}}}',
  '{"name":"x","name":5}',
  '{"name":"\\ud800"}',
  '{"name":"\\u0000"}',
  '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[',
  `{"name":${'['.repeat(40)}${']'.repeat(40)}}`,
  '{"toString":1,"name":"x"}',
  '{"count":9007199254740993,"name":"x"}',
]
const ODD_PATHS = [
  '/api/thing/%2e%2e%2f',
  '/api/thing/%',
  '/api/thing/%ff',
  '/api/thing/%00',
  '/api/thing/7?',
  '/api/thing/7?color',
  '/api/thing/7?color[]=x',
  '/api/thing/7?color=%ff',
  '/api/thing/7?__proto__=x',
  '/api/thing/7?color=x&color=y',
  '/api/thing/7;x=y',
  '/api/thing/7#x',
  '/api/./thing/7',
  '/api/thing/7?'.padEnd(5000, 'x'),
  '/api/thing/7?'.padEnd(9000, '&a=b'),
  '/api/thing/constructor',
  '/api/thing/__proto__',
]

describe('an odd request', () => {
  test('is answered with an envelope, never as an unexpected error', async () => {
    const { call, metrics } = await anEdge()
    const sent = [
      ...ODD_VALUES.flatMap(value => [
        { name: value },
        { name: 'x', count: value },
        { name: 'x', more: value },
        value,
      ]).map(json => ['/api/thing', { method: 'POST', json }] as const),
      ...ODD_BODIES.map(
        body => ['/api/thing', { method: 'POST', body, headers: { 'content-type': 'application/json' } }] as const,
      ),
      ...ODD_PATHS.flatMap(path => ['GET', 'DELETE'].map(method => [path, { method }] as const)),
    ]
    for (const [path, request] of sent) {
      for (const as of ['ann', 'sue', undefined]) {
        const { status, envelope } = await call(path, { ...request, as })
        expect({ path, request, status, keys: Object.keys(envelope ?? {}).slice(0, 3) }).toMatchObject({
          status: 200,
          keys: ['code', 'message', 'result'],
        })
        expect(envelope.message).not.toBe('errors.internal')
      }
    }
    expect((await metrics.unexpectedErrors.get()).values).toEqual([{ labels: {}, value: 0 }])
    expect((await call('/api/thing/7', { as: 'ann' })).envelope.code).toBe(200)
  })
  test.each(['/api/thing', '/api/thing/7', '/api/nope', '/healthz'])(
    'of a method that must say what it sends is refused at %s',
    async path => {
      const { url, metrics, lines } = await anEdge()
      const { status, text } = await rawRequest(url, { method: 'QUERY', path })
      expect([status, JSON.parse(text)]).toMatchObject([200, { code: 415, message: 'errors.mediaTypeNotSupported' }])
      expect((await metrics.unexpectedErrors.get()).values).toEqual([{ labels: {}, value: 0 }])
      expect(lines).toEqual([])
    },
  )
})

describe('a client that resets its connection behind its request', () => {
  const HANDSHAKE =
    'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  test.each([
    ['/api/thing/7', 'request', ''],
    ['/', 'request', ''],
    ['/api/chat', 'upgrade', HANDSHAKE],
    ['/else', 'upgrade', HANDSHAKE],
  ])('is nobody’s mistake: %s, %s', async (path, event, more) => {
    const { http, metrics, lines, url } = await edgeWithSockets()
    const arrived = once(http.fastify.server, event)
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    await once(client, 'connect')
    client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`)
    client.resetAndDestroy()
    await arrived
    await http.close()
    expect((await metrics.unexpectedErrors.get()).values).toEqual([{ labels: {}, value: 0 }])
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })
  test.each([
    ['resets', 0],
    ['stays on', 1],
  ])('while its answer is being read from the disk is nobody’s mistake either: one that %s', async (does, mistakes) => {
    const { http, metrics, url } = await anEdge({}, ({ fastify }) => {
      fastify.get('/file', async ({ raw }) => {
        if (does === 'resets') {
          client.resetAndDestroy()
          // Told of as an error first.
          await once(raw.socket, 'close').catch(() => {})
        }
        throw Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
      })
    })
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    const answered = once(http.fastify.server, 'request').then(([, response]) => once(response, 'close'))
    client.write('GET /file HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await answered
    await http.close()
    expect((await metrics.unexpectedErrors.get()).values).toEqual([{ labels: {}, value: mistakes }])
  })
})

describe('what fastify complains of', () => {
  test.each([
    [400, 'errors.invalidRequest'],
    [499, 'errors.invalidRequest'],
    [500, 'errors.internal'],
  ])('with %i is %s', async (statusCode, message) => {
    const { url } = await anEdge({}, ({ fastify }) => {
      fastify.get('/complaint', () => {
        throw Object.assign(new Error('unheard of'), { code: 'FST_ERR_TO_COME', statusCode })
      })
    })
    expect(JSON.parse((await rawRequest(url, { method: 'GET', path: '/complaint' })).text)).toMatchObject({ message })
  })
})
