import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Between a browser and the portal, as a network is: it can be cut, with everything that is under way. */
export type CuttableLine = { url: string; cut(): void; mend(): void; close(): Promise<void> }

export async function cuttableLine(portal_url: string): Promise<CuttableLine> {
  const { hostname, port } = new URL(portal_url)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(inner => {
    const outer = connect(Number(port), hostname)
    for (const [one, other] of [[inner, outer], [outer, inner]] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => { sockets.delete(one); other.destroy() })
    }
    if (isCut) inner.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo // it listens on TCP, so it is no string
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    mend: () => { isCut = false },
    async close() {
      cut()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
