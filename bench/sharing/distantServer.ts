import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy in front of PostgreSQL that delays each direction by so many milliseconds. */
export async function distantServer(url: string, delay: number): Promise<{ url: string; close(): void }> {
  const there = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(Number(there.port), there.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('data', bytes => {
        setTimeout(() => to.write(bytes), delay)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        setTimeout(() => to.destroy(), delay)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const here = new URL(url)
  here.port = String((server.address() as AddressInfo).port) // it listens on a port
  return {
    url: here.href,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
