import { once } from 'node:events'
import { createServer } from 'node:https'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { FOREIGN, LOCAL, trustAuthority } from '#testing/certificates.ts'
import { connectProxy } from '#testing/connectProxy.ts'
import { expectFailure, PATIENT_SOCKET, portOf, to } from '#testing/outboundRequests.ts'
import { openOutbound } from './outbound.ts'

/** A server that answers requests and WebSockets through TLS, in one word. */
async function served(certificate = LOCAL): Promise<number> {
  const server = createServer(certificate, (_request, response) => void response.end('one'))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', socket => socket.send('one'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate()
    server.close().closeAllConnections()
  })
  return portOf(server)
}

/** What is read by a request and by a WebSocket. */
function reading() {
  const outbound = openOutbound()
  onTestFinished(() => outbound.close())
  return {
    requested: async (url: string, proxy: string | null = null) =>
      (await outbound.request(to(url, { proxy }))).body.text(100),
    async framed(url: string, proxy: string | null = null) {
      const frames: string[] = []
      await outbound.webSocket({ ...PATIENT_SOCKET, url, proxy }, frame => {
        frames.push(frame)
        return 'done'
      })
      return frames.join()
    },
  }
}

describe('requests and WebSockets through TLS', () => {
  test('go where the certificate is of a known authority and for the name that was asked for, or its address', async () => {
    trustAuthority()
    const port = await served()
    const { requested, framed } = reading()
    for (const host of ['localhost', '127.0.0.1']) {
      expect(await requested(`https://${host}:${port}/`)).toBe('one')
      expect(await framed(`wss://${host}:${port}/`)).toBe('one')
    }
  })

  test('go nowhere else, through a proxy neither', async () => {
    const { requested, framed } = reading()
    const proxy = await connectProxy()
    const unknown = await served()
    for (const through of [null, proxy.url]) {
      await expectFailure('connect', requested(`https://localhost:${unknown}/`, through))
      await expectFailure('connect', framed(`wss://localhost:${unknown}/`, through))
    }
    trustAuthority()
    const other = await served(FOREIGN)
    for (const through of [null, proxy.url])
      for (const host of ['localhost', '127.0.0.1']) {
        await expectFailure('connect', requested(`https://${host}:${other}/`, through))
        await expectFailure('connect', framed(`wss://${host}:${other}/`, through))
      }
  })

  test.each([
    ['in the clear', null],
    ['through TLS', LOCAL],
  ])('go through a proxy that is spoken to %s, which sees no more than the host', async (_how, certificate) => {
    trustAuthority()
    const port = await served()
    const proxy = await connectProxy(certificate)
    const { requested, framed } = reading()
    for (const host of ['localhost', '127.0.0.1']) {
      expect(await requested(`https://${host}:${port}/`, proxy.url)).toBe('one')
      expect(await framed(`wss://${host}:${port}/`, proxy.url)).toBe('one')
      expect(proxy.asked.splice(0)).toEqual([`${host}:${port}`, `${host}:${port}`])
    }
  })

  test('go through no proxy whose certificate is another’s', async () => {
    trustAuthority()
    const port = await served()
    const proxy = await connectProxy(FOREIGN)
    const { requested, framed } = reading()
    await expectFailure('connect', requested(`https://localhost:${port}/`, proxy.url))
    await expectFailure('connect', framed(`wss://localhost:${port}/`, proxy.url))
    expect(proxy.asked).toEqual([])
  })
})
