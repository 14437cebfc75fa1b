import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Stands before a database server, and can be away for a while, as the server is when it is started again. */
export type CuttableServer = { url: string; goAway(): void; comeBack(): void }

export async function cuttable(url: string): Promise<CuttableServer> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let away = false
  const server = createServer(inner => {
    if (away) return inner.destroy()
    const outer = connect(Number(port), hostname)
    for (const [one, other] of [[inner, outer], [outer, inner]] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => { sockets.delete(one); other.destroy() })
    }
    return undefined
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const here = new URL(url)
  here.port = String((server.address() as AddressInfo).port) // it listens on TCP, so it is no string
  return {
    url: here.href,
    goAway() {
      away = true
      for (const socket of sockets) socket.destroy()
    },
    comeBack() { away = false },
  }
}
