import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * A TCP proxy in front of a server. While it is cut, it drops every connection, like a lost network or a restarting
 * server. `url` is the server's URL with the proxy's host and port.
 */
export type CuttableProxy = { url: string; cut(): void; mend(): void; close(): Promise<void> }

export async function cuttableProxy(server_url: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(server_url)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(inner => {
    if (isCut) return inner.destroy()
    const outer = connect(Number(port), hostname)
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    return undefined
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const here = new URL(server_url)
  here.hostname = '127.0.0.1'
  here.port = String((server.address() as AddressInfo).port) // it listens on TCP, so it is no string
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: here.href,
    cut,
    mend: () => {
      isCut = false
    },
    async close() {
      cut()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
