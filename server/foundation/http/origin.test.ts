import { describe, expect, test } from 'vitest'
import { anEdge, cookieOf } from '#testing/edge.ts'
import { originRule } from './origin.ts'

const HOST = 'chat.example.org'
const cookie = cookieOf('ann')

describe('a request that changes something', () => {
  const allowed = (publicOrigin: string | null, headers: Record<string, string>) =>
    originRule({ publicOrigin: () => publicOrigin, corsOrigins: ['https://friend.example.org'] })({
      host: HOST,
      cookie,
      ...headers,
    })

  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'nonsense' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://chat.example.org' }, false],
    [{ origin: 'https://chat.example.org' }, true],
    [{ origin: 'http://chat.example.org' }, false],
    [{ origin: 'https://chat.example.org:8443' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://chat.example.org.evil.example' }, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{ origin: 'https://friend.example.org' }, true],
    [{ origin: 'https://friend.example.org', 'sec-fetch-site': 'same-site' }, true],
    [{}, false],
  ])('behind https://chat.example.org with %j is let in: %j', (headers, expected) => {
    expect(allowed('https://chat.example.org', headers)).toBe(expected)
  })

  test.each([
    [{ origin: 'http://chat.example.org' }, true],
    [{ origin: 'https://chat.example.org' }, true],
    [{ origin: 'http://chat.example.org:8000' }, false],
    [{ origin: 'http://evil.example' }, false],
    [{ origin: 'null' }, false],
  ])('where no public origin is set must come from the host it goes to: %j is let in: %j', (headers, expected) => {
    expect(allowed(null, headers)).toBe(expected)
  })

  test('of a program that names no origin is let in only without a session', () => {
    const rule = originRule({ publicOrigin: () => null, corsOrigins: [] })
    expect(rule({ host: HOST })).toBe(true)
    expect(rule({ host: HOST, cookie: 'other=1' })).toBe(true)
    expect(rule({ host: HOST, cookie: 'other=1; commons_session=x' })).toBe(false)
    expect(rule({ host: HOST, cookie: '__Host-commons_session=x' })).toBe(false)
  })

  test.each([
    ['POST', '/api/thing', 'ann'],
    ['DELETE', '/api/thing', 'sue'],
    ['POST', '/api/thing/open', 'ann'],
  ])('is refused from elsewhere before anything happens: %s %s', async (method, path, as) => {
    const { call } = await anEdge()
    const { envelope, headers } = await call(path, { method, as, headers: { origin: 'https://evil.example' } })
    expect(envelope).toEqual({ code: 10403, message: 'errors.originNotAllowed', result: null })
    expect(headers.get('access-control-allow-origin')).toBe(null)
  })
})

describe('what the log says of a refused origin', () => {
  const refused = (lines: Record<string, unknown>[]) => lines.filter(({ msg }) => String(msg).includes('origin'))

  test('names it, and the setting that lets the portal’s own in', async () => {
    const { call, lines } = await anEdge({ publicOrigin: () => 'https://chat.example.org' })
    await call('/api/thing', {
      method: 'POST',
      as: 'ann',
      headers: { origin: 'http://192.168.1.5:8000' },
      json: { name: 'x' },
    })
    expect(refused(lines)).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      level: 'warn',
      origin: 'http://192.168.1.5:8000',
      public_origin: 'https://chat.example.org',
    })
    expect(lines[0]?.['msg']).toContain('portal.public_origin')
  })
  test('is bounded, however many come and however long they are', async () => {
    let now = 0
    const { call, lines } = await anEdge({ clock: { monotonic: () => now } })
    const send = (origin: string) =>
      call('/api/thing', { method: 'POST', as: 'ann', headers: { origin }, json: { name: 'x' } })
    for (let sent = 0; sent < 25; sent++) await send(`https://${'e'.repeat(1_000)}.example`)
    expect(refused(lines)).toHaveLength(10)
    expect(String(lines[0]?.['origin'])).toHaveLength(200)
    now = 60_000
    await send('https://evil.example')
    expect(refused(lines).slice(10)).toMatchObject([{ count: 15 }, { origin: 'https://evil.example' }])
  })
  test('is nothing where nothing was refused', async () => {
    const { call, lines, url } = await anEdge()
    await call('/api/thing', { method: 'POST', as: 'ann', headers: { origin: url }, json: { name: 'x' } })
    expect(refused(lines)).toEqual([])
  })
})

describe('a request that only reads', () => {
  test('may come from anywhere, and its answer cannot be read there', async () => {
    const { call } = await anEdge()
    const { envelope, headers } = await call('/api/thing/7', { as: 'ann', headers: { origin: 'https://evil.example' } })
    expect(envelope.code).toBe(200)
    expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  })
})

describe('a preflight', () => {
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }
  const from = (origin: string) => ({ ...preflight, headers: { ...preflight.headers, origin } })

  test('is answered for nobody where nothing is configured', async () => {
    const { call } = await anEdge()
    const { headers } = await call('/api/thing', from('https://friend.example.org'))
    expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  })
  test('is answered for a configured origin, and for that only', async () => {
    const { call } = await anEdge({ corsOrigins: ['https://friend.example.org'] })
    const { status, headers } = await call('/api/thing', from('https://friend.example.org'))
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('https://friend.example.org')
    expect(headers.get('vary')).toBe('Origin')
    expect((await call('/api/thing', from('https://evil.example'))).headers.get('access-control-allow-origin')).toBe(
      null,
    )
  })
})
