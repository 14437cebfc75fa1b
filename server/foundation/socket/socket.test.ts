import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { cookieOf, SESSIONS } from '#testing/edge.ts'
import { edgeWithSockets, hasClosed } from '#testing/edgeSockets.ts'

describe('a handshake', () => {
  test('with a session from our own page becomes a socket', async () => {
    const edge = await edgeWithSockets()
    const { client, socket } = await edge.connected({ as: 'ann' })
    expect(socket.user).toEqual(SESSIONS['ann'])
    expect(socket.protocol).toBe('')
    expect(client.protocol).toBe('')
    expect(client.extensions).toBe('')
    expect(edge.sockets.count).toBe(1)
  })
  test.each([
    ['without a cookie', { as: undefined }, 401, 'errors.unauthorized'],
    ['with a session that is over', { as: 'nobody' }, 401, 'errors.loginExpired'],
    ['from elsewhere', { as: 'ann', origin: 'https://evil.example' }, 403, 'errors.originNotAllowed'],
    ['that names no origin', { as: 'ann', origin: null }, 403, 'errors.originNotAllowed'],
    ['on another path', { as: 'ann', path: '/api/chat/' }, 404, 'errors.resourceNotFound'],
    ['on no path of ours', { as: 'ann', path: '/' }, 404, 'errors.resourceNotFound'],
    ['with a protocol that nobody speaks', { as: 'ann', protocols: ['other.v9'] }, 400, 'errors.invalidRequest'],
  ] as const)('%s is answered by HTTP, and nothing is kept of it', async (_how, offer, status, message) => {
    const edge = await edgeWithSockets()
    expect(await edge.attempt(offer)).toMatchObject({ status, message })
    expect(edge.sockets.count).toBe(0)
    expect(edge.accepted).toHaveLength(0)
  })
  test('chooses the protocol that both speak', async () => {
    const edge = await edgeWithSockets()
    const { client, socket } = await edge.connected({ as: 'ann', protocols: ['other.v9', 'commons.delta.v1'] })
    expect([socket.protocol, client.protocol]).toEqual(['commons.delta.v1', 'commons.delta.v1'])
  })
  test('that is none is refused', async () => {
    const edge = await edgeWithSockets()
    const proper = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' }
    for (const wrong of [{ 'sec-websocket-key': 'short' }, { 'sec-websocket-version': '99' }]) {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        origin: edge.url,
        cookie: cookieOf('ann'),
        ...proper,
        ...wrong,
      }
      const [response] = await once(request(`${edge.url}/api/chat`, { headers }).end(), 'response')
      response.resume()
      expect(response.statusCode).toBeGreaterThanOrEqual(400)
      expect(edge.sockets.count).toBe(0)
    }
    await edge.connected({ as: 'ann' })
  })
  test('is refused when one person has as many as allowed, until one is closed', async () => {
    const edge = await edgeWithSockets({ perUser: () => 2 })
    const first = await edge.connected({ as: 'ann' })
    await edge.connected({ as: 'ann' })
    expect(await edge.attempt({ as: 'ann' })).toMatchObject({ status: 429, message: 'errors.tooManyRequests' })
    await edge.connected({ as: 'ben' })
    first.client.close()
    await hasClosed(first.socket)
    await edge.connected({ as: 'ann' })
  })
  test('of many at once lets no more through than allowed', async () => {
    const edge = await edgeWithSockets({ perUser: () => 3 })
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => edge.attempt({ as: 'ann' })))
    expect(outcomes.filter(({ status }) => status === 101)).toHaveLength(3)
    expect(outcomes.filter(({ status }) => status === 429)).toHaveLength(17)
  })
  test('is refused when the process has as many as allowed', async () => {
    const edge = await edgeWithSockets({ total: () => 1 })
    await edge.connected({ as: 'ann' })
    expect(await edge.attempt({ as: 'ben' })).toMatchObject({ status: 429 })
  })
  test('that fails for a reason nobody foresaw is logged, not shown', async () => {
    const edge = await edgeWithSockets(
      {},
      {
        authenticate: async () => {
          throw new Error('no database')
        },
      },
    )
    expect(await edge.attempt({ as: 'ann' })).toMatchObject({ status: 500, message: 'errors.internal' })
    expect(edge.lines.find(({ level }) => level === 'error')).toMatchObject({ err: { message: 'no database' } })
  })
  test('for another protocol than WebSocket is an ordinary request', async () => {
    const { url } = await edgeWithSockets()
    const asked = request(`${url}/healthz`, {
      headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' },
    }).end()
    const [response] = await once(asked, 'response')
    response.resume()
    expect(response.statusCode).toBe(200)
  })
})

describe('sockets', () => {
  test('of a session that ended are closed, and the others are not', async () => {
    const edge = await edgeWithSockets()
    const ann = await edge.connected({ as: 'ann' })
    const ben = await edge.connected({ as: 'ben' })
    edge.sockets.closeWhere(user => user.id === 1, 1008, 'errors.loginExpired')
    const [code, reason] = await once(ann.client, 'close')
    expect([code, String(reason)]).toEqual([1008, 'errors.loginExpired'])
    await hasClosed(ann.socket)
    expect(ben.socket.closed.aborted).toBe(false)
    expect(edge.sockets.count).toBe(1)
  })
  test('are asked to come again when the server stops', async () => {
    const edge = await edgeWithSockets()
    const { client } = await edge.connected({ as: 'ann' })
    const closed = once(client, 'close')
    await edge.sockets.close()
    expect((await closed)[0]).toBe(1012)
    expect(await edge.attempt({ as: 'ann' })).toMatchObject({ status: 503, message: 'errors.serverStopping' })
  })
  test('that do not answer are cut when the server stops', async () => {
    const edge = await edgeWithSockets()
    const { client, socket } = await edge.connected({ as: 'ann' })
    client.pause()
    await edge.sockets.close(20)
    expect(socket.closed.aborted).toBe(true)
    client.terminate()
  })
  test('whose answer fails unexpectedly are closed as such', async () => {
    const edge = await edgeWithSockets({
      onSocket: async () => {
        throw new Error('a mistake')
      },
    })
    const client = edge.client({ as: 'ann' })
    expect((await once(client, 'close'))[0]).toBe(1011)
    expect(edge.lines.find(({ level }) => level === 'error')).toMatchObject({ err: { message: 'a mistake' } })
  })
  test('are counted', async () => {
    const edge = await edgeWithSockets()
    const { client, socket } = await edge.connected({ as: 'ann' })
    await edge.attempt({ as: undefined })
    expect((await edge.metrics.sockets.get()).values[0]?.value).toBe(1)
    expect((await edge.metrics.refusedSockets.get()).values).toMatchObject([{ labels: { status: 401 }, value: 1 }])
    client.close()
    await hasClosed(socket)
    await edge.connected({ as: 'ben' })
    expect((await edge.metrics.sockets.get()).values[0]?.value).toBe(1)
  })
  test('stay open while they answer pings, and are cut when they stay silent', async () => {
    const edge = await edgeWithSockets({ ping_ms: 20 })
    const lively = await edge.connected({ as: 'ann' })
    const silent = await edge.connected({ as: 'ben', autoPong: false })
    await hasClosed(silent.socket)
    await once(lively.client, 'ping')
    expect(lively.socket.closed.aborted).toBe(false)
  })
})
