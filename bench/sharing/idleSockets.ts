import { once } from 'node:events'
import { WebSocket } from 'ws'
import { CHAT_PATH, DELTA_PROTOCOL } from '#contract/asking.ts'
import type { Product } from '../product.ts'

/** Bytes that the open sockets of signed-in persons take, beyond the process as it was before. */
export async function idleSockets(product: Product, cookies: readonly string[], count: number): Promise<number> {
  const before = await product.child.usage(true)
  const sockets = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const socket = new WebSocket(product.url.replace('http', 'ws') + CHAT_PATH, [DELTA_PROTOCOL], {
        perMessageDeflate: false,
        headers: { cookie: cookies[index % cookies.length], origin: product.url },
      })
      await once(socket, 'open')
      return socket
    }),
  )
  const during = await product.child.usage(true)
  await Promise.all(
    sockets.map(async socket => {
      socket.terminate()
      await once(socket, 'close')
    }),
  )
  return during.rss - before.rss
}
