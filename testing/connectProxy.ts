import { once } from 'node:events'
import { createServer as createPlainServer, type IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import { portOf } from './outboundRequests.ts'

/**
 * A proxy for one test that connects to the port that it is asked for, on this machine. With a certificate it is spoken
 * to through TLS.
 */
export async function connectProxy(certificate: { cert: string; key: string } | null = null) {
  /** Hosts and ports that it was asked for. */
  const asked: (string | undefined)[] = []
  const proxy = certificate === null ? createPlainServer() : createServer(certificate)
  const opened = new Set<Duplex>()
  proxy.on('connect', (request: IncomingMessage, client: Duplex) => {
    asked.push(request.url)
    const server = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () =>
      client.write('HTTP/1.1 200 OK\r\n\r\n'),
    )
    server.pipe(client).pipe(server)
    for (const each of [server, client]) opened.add(each.on('error', () => {}))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const each of opened) each.destroy()
    proxy.close().closeAllConnections()
  })
  return { asked, url: `http${certificate === null ? '' : 's'}://localhost:${portOf(proxy)}` }
}
