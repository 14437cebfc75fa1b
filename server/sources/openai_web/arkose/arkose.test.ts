import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '#server/foundation/clock.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { rawRequest } from '#testing/rawRequest.ts'
import { portOf } from '#testing/upstream.ts'

type SeenRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

/** An endpoint that answers as its test says, and keeps what it was asked. */
async function anEndpoint(answer: (response: ServerResponse, url: string) => void) {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer) // what a request gives without an encoding
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: Buffer.concat(parts).toString() })
    answer(response, url)
  })
  return { seen, base: `http://127.0.0.1:${await portOf(server)}/gate/v2/` }
}

async function aPortal(base: string | null, clock: Clock = systemClock) {
  const portal = await startPortal({
    clock,
    environment:
      base === null
        ? {}
        : { COMMONS_OPENAI_WEB_ENABLE_ARKOSE_ENDPOINT: 'true', COMMONS_OPENAI_WEB_ARKOSE_ENDPOINT_BASE: base },
  })
  const lin = await portal.person()
  return { ...portal, lin, ticket: () => ticketOf(lin) }
}

async function ticketOf(person: Person): Promise<string> {
  const { frame_url } = await person.result<{ frame_url: string }>('POST', '/arkose/ticket')
  return frame_url.split('/').at(-1) ?? ''
}

const script = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/javascript', 'set-cookie': 'a=b' }).end('run()')

describe('Arkose, while it is off', () => {
  test('is told to whoever asks, and nothing else of it is there', async () => {
    const { base } = await anEndpoint(script)
    const { url, admin, lin } = await aPortal(null)
    expect(await lin.call('GET', '/arkose/info')).toEqual({
      code: 200,
      message: 'tips.requestSuccess',
      result: { enabled: false, url: '' },
    })
    expect(await lin.call('POST', '/arkose/ticket')).toMatchObject({ code: 404, message: 'errors.resourceNotFound' })
    const set = (enable_arkose_endpoint: boolean) =>
      admin.result('PUT', '/system/config', { openai_web: { enable_arkose_endpoint, arkose_endpoint_base: base } })
    await set(true)
    const ticket = await ticketOf(lin)
    await set(false)
    for (const path of [`/api/arkose/frame/${ticket}`, `/api/arkose/p/${ticket}/v2/a.js`, '/api/arkose/p/v2/a.js'])
      expect((await fetch(url + path, { headers: { cookie: lin.cookie } })).status, path).toBe(404)
    expect((await fetch(`${url}/home`)).headers.get('content-security-policy')).not.toContain('frame-src')
    expect(await lin.result('GET', '/status/portal')).not.toHaveProperty('needs_arkose_token')
  })
})

describe('Arkose, while it is on', () => {
  test('tells its address, lets the page hold frames of the portal, and gives a sandboxed page to whoever has a ticket', async () => {
    const { base } = await anEndpoint(script)
    const { url, lin, ticket } = await aPortal(base)
    expect(await lin.result('GET', '/arkose/info')).toEqual({
      enabled: true,
      url: `${base}35536E1E-65B4-4D96-9D97-6ADB7EFF8147/api.js`,
    })
    expect(await lin.result('GET', '/status/portal')).toMatchObject({ needs_arkose_token: true })
    expect((await fetch(`${url}/home`)).headers.get('content-security-policy')).toContain("; frame-src 'self'")
    const given = await ticket()
    const frame = await fetch(`${url}/api/arkose/frame/${given}`)
    const policy = frame.headers.get('content-security-policy') ?? ''
    expect(policy).toContain('sandbox allow-scripts; ')
    expect(policy).toContain(`connect-src ${new URL(url).host}/api/arkose/p/${given}/;`)
    expect(policy).toContain("frame-ancestors 'self'")
    expect(await frame.text()).toContain(`/api/arkose/p/${given}/v2/35536E1E-65B4-4D96-9D97-6ADB7EFF8147/api.js`)
  })

  test('forwards to its own folder, and sends neither a cookie nor a key on, nor one back', async () => {
    const { base, seen } = await anEndpoint(script)
    const { url, lin, ticket } = await aPortal(base)
    const prefix = `${url}/api/arkose/p/${await ticket()}/`
    const answer = await fetch(`${prefix}v2/a.js?x=1`, {
      headers: { cookie: lin.cookie, authorization: 'Bearer secret', referer: url, 'user-agent': 'a browser' },
    })
    expect(await answer.text()).toBe('run()')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(answer.headers.get('set-cookie')).toBe(null)
    await fetch(`${prefix}fc/gt2/public_key/1`, {
      method: 'POST',
      body: 'a=1&a=2',
      headers: { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(seen).toMatchObject([
      { method: 'GET', url: '/gate/v2/a.js?x=1', headers: { 'user-agent': 'a browser' } },
      { method: 'POST', url: '/gate/fc/gt2/public_key/1', body: 'a=1&a=2' },
    ])
    const names = ['cookie', 'authorization', 'referer', 'origin', 'x-forwarded-for']
    expect(seen.flatMap(({ headers }) => names.filter(name => name in headers))).toEqual([])
    expect((await fetch(`${prefix}v2/a.js`, { method: 'OPTIONS' })).headers.get('access-control-allow-methods')).toBe(
      'GET, POST',
    )
    // A script of the page itself is never one of these.
    expect((await fetch(`${prefix}v2/a.js`, { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(404)
  })

  test('asks nobody for a path that leads elsewhere, nor without a ticket that is good', async () => {
    const { base, seen } = await anEndpoint(script)
    let late_ms = 0
    const clock = { ...systemClock, now: () => systemClock.now() + late_ms }
    const { url, lin, admin, person, ticket } = await aPortal(base, clock)
    const mei = await person('mei')
    const good = await ticket()
    const paths = [
      '..%2fadmin',
      '%2e%2e/admin',
      '../admin',
      '../../../../conv',
      '//evil.example/a',
      'http://evil.example/a',
      'a%0d%0ahost:%20evil',
      'v2/a%00',
      '.',
      'a'.repeat(5000),
      '',
      '%',
    ]
    for (const path of paths)
      expect(
        (await rawRequest(url, { method: 'GET', path: `/api/arkose/p/${good}/${path}` })).text,
        path,
      ).not.toContain('run()')
    const target = new URL(base)
    for (const path of [
      `http://evil.example/api/arkose/p/${good}/a`,
      `/api/arkose/p/${good}x/a`,
      `/api/arkose/p/x/a`,
      `/api/arkose/p/v2/a`,
    ])
      expect(
        (await rawRequest(url, { method: 'GET', path, headers: { host: target.host, cookie: lin.cookie } })).status,
        path,
      ).toBe(404)
    const hers = await ticketOf(mei)
    expect((await fetch(`${url}/api/arkose/frame/${hers}`)).status).toBe(200)
    await admin.result('PATCH', `/user/${mei.id}`, { is_active: false })
    expect((await fetch(`${url}/api/arkose/frame/${hers}`)).status).toBe(404)
    late_ms = 5 * 60_000
    expect((await fetch(`${url}/api/arkose/p/${good}/a`)).status).toBe(404)
    expect((await fetch(`${url}/api/arkose/frame/${good}`)).status).toBe(404)
    expect(seen).toEqual([])
  })

  test('relays no page but into a frame without an origin, no redirect, no endless answer and no larger question', async () => {
    let sent = 0
    const { base, seen } = await anEndpoint((response, url) => {
      if (url.endsWith('/page'))
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>1</script>')
      if (url.endsWith('/moved')) return void response.writeHead(302, { location: 'https://evil.example/' }).end()
      if (url.endsWith('/odd'))
        return void response.writeHead(200, { 'content-type': 'application/x-shockwave-flash' }).end('x')
      if (url.endsWith('/declared'))
        return void response.writeHead(200, { 'content-length': 1_000_000_000 }).flushHeaders()
      if (url.endsWith('/refused'))
        return void response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"DENIED"}')
      const chunk = Buffer.alloc(1024 * 1024)
      const more = (): void => {
        if (response.destroyed) return
        sent += 1
        response.write(chunk, () => setImmediate(more))
      }
      response.writeHead(200, { 'content-type': 'text/javascript' })
      more()
    })
    const { url, ticket } = await aPortal(base)
    const prefix = `${url}/api/arkose/p/${await ticket()}/v2`
    const get = (path: string, headers = {}) => fetch(`${prefix}/${path}`, { headers })
    for (const dest of ['document', 'script', 'empty', ''])
      expect((await get('page', { 'sec-fetch-dest': dest })).status).toBe(502)
    const framed = await get('page', { 'sec-fetch-dest': 'iframe' })
    expect(framed.headers.get('content-security-policy')).toContain('sandbox allow-scripts; ')
    expect((await get('moved')).status).toBe(502)
    expect((await get('odd')).headers.get('content-type')).toBe('application/octet-stream')
    expect((await get('declared')).status).toBe(502)
    expect((await get('endless')).status).toBe(502)
    expect(sent).toBeLessThan(100)
    const refused = await get('refused')
    expect([refused.status, await refused.text()]).toEqual([403, '{"error":"DENIED"}'])
    const asked = seen.length
    expect((await fetch(`${prefix}/a`, { method: 'POST', body: 'x'.repeat(256 * 1024 + 1) })).status).toBe(413)
    expect(seen).toHaveLength(asked)
  })

  test('has the script of a challenge come through it, whichever host it is said to be at', async () => {
    const given = { token: 'a', challenge_url_cdn: 'https://client-api.arkose.example/cdn/fc/game.js' }
    const { base } = await anEndpoint(response =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(given)),
    )
    const { url, ticket } = await aPortal(base)
    const prefix = `/api/arkose/p/${await ticket()}/`
    expect(await (await fetch(`${url}${prefix}fc/gt2/public_key/1`)).json()).toEqual({
      token: 'a',
      challenge_url_cdn: `${prefix}cdn/fc/game.js`,
    })
    given.challenge_url_cdn = 'https://evil.example/x.js'
    expect(await (await fetch(`${url}${prefix}fc/gt2/public_key/1`)).json()).toEqual({
      token: 'a',
      challenge_url_cdn: null,
    })
  })
})
