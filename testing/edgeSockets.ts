import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { acceptSockets, type Socket, type SocketOptions, type Sockets } from '#server/foundation/socket/socket.ts'
import { anEdge, cookieOf, type EdgeUser } from './edge.ts'

export type Offer = {
  as?: string | undefined
  path?: string
  /** null: sends no Origin. */
  origin?: string | null
  protocols?: readonly string[]
  headers?: Record<string, string>
  autoPong?: boolean
}

/** The edge with sockets at /api/chat that do nothing by themselves, and clients for them. */
export async function edgeWithSockets(
  options: Partial<SocketOptions<EdgeUser>> = {},
  edgeOptions: Parameters<typeof anEdge>[0] = {},
) {
  const accepted: Socket<EdgeUser>[] = []
  const held: { sockets?: Sockets<EdgeUser> } = {}
  const edge = await anEdge(edgeOptions, (http, { log, metrics }) => {
    held.sockets = acceptSockets(http, {
      path: '/api/chat',
      protocols: ['commons.delta.v1'],
      max_payload: 100_000,
      authenticateAgain: async user => user,
      perUser: () => 10,
      total: () => 100,
      onSocket: async socket => {
        accepted.push(socket)
      },
      log,
      metrics,
      ...options,
    })
  })
  const { sockets } = held
  if (sockets === undefined) throw new Error('no sockets were accepted')

  const client = ({
    as,
    path = '/api/chat',
    origin = edge.url,
    protocols = [],
    headers = {},
    autoPong = true,
  }: Offer = {}): WebSocket => {
    const made = new WebSocket(edge.url.replace(/^http/, 'ws') + path, [...protocols], {
      headers: {
        ...(origin === null ? {} : { origin }),
        ...(as === undefined ? {} : { cookie: cookieOf(as) }),
        ...headers,
      },
      autoPong,
      maxRedirects: 0,
    })
    made.on('error', () => {})
    onTestFinished(() => made.terminate())
    return made
  }

  /** Result of the handshake: 101, or the status and message of the answer. */
  const attempt = async (offer: Offer): Promise<{ status: number; message: string }> => {
    const made = client(offer)
    const { promise, resolve } = Promise.withResolvers<{ status: number; message: string }>()
    made.on('open', () => resolve({ status: 101, message: '' }))
    made.on('unexpected-response', async (_request, response) => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      resolve({ status: response.statusCode ?? 0, message: text.startsWith('{') ? JSON.parse(text).message : text })
    })
    return promise
  }

  return {
    ...edge,
    sockets,
    accepted,
    client,
    attempt,
    /** Both ends of a new socket. */
    async connected(offer: Offer = { as: 'ann' }) {
      const made = client(offer)
      await once(made, 'open')
      const socket = accepted.at(-1)
      if (socket === undefined) throw new Error('the socket was not accepted')
      return { client: made, socket }
    },
  }
}

export async function hasClosed({ closed }: Pick<Socket<EdgeUser>, 'closed'>): Promise<void> {
  if (!closed.aborted) await once(closed, 'abort')
}
