import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { isRecord, parseJson } from '../../http.ts'
import type { WebCall } from '../call.ts'
import type { AnswerEvent } from './steps.ts'
import { type Sink, wireOf } from './writer.ts'

const PROTOCOL = 'json.reliable.webpubsub.azure.v1'
const PATH = '/web-socket/'
/** Milliseconds until a WebSocket that nobody opens is forgotten. */
const OPEN_WITHIN = 60_000
const MOST_TICKETS = 1_000
/** A frame of another conversation comes after so many of one’s own. */
const FOREIGN_EVERY = 5
const MOST_WAITING_BYTES = 1_000_000

type Ticket = { opened: (socket: WebSocket) => void; timer: NodeJS.Timeout }

export type WebSockets = ReturnType<typeof createWebSockets>

/** WebSockets over which answers are sent: each has an address of its own that is opened once. */
export function createWebSockets() {
  const tickets = new Map<string, Ticket>()
  const sockets = new Set<WebSocket>()

  return {
    /** The path of a new WebSocket; resolves with it in `opened`, when a client opens it in time. */
    expect(opened: (socket: WebSocket) => void, expired: () => void): string {
      const path = `${PATH}${randomUUID()}`
      const timer = setTimeout(() => {
        tickets.delete(path)
        expired()
      }, OPEN_WITHIN)
      timer.unref()
      tickets.set(path, { opened, timer })
      const [oldest] = tickets.keys()
      if (tickets.size > MOST_TICKETS && oldest !== undefined) tickets.delete(oldest)
      return path
    },

    /** For the server's `upgrade` event. */
    async upgrade(request: IncomingMessage, connection: Duplex, head: Buffer) {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const ticket = tickets.get(path)
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(each => each.trim())
      if (!ticket || !offered.includes(PROTOCOL))
        return void connection.end(`HTTP/1.1 ${ticket ? 400 : 404} Refused\r\nConnection: close\r\n\r\n`)
      tickets.delete(path)
      clearTimeout(ticket.timer)
      const { WebSocketServer } = await import('ws')
      const server = new WebSocketServer({ noServer: true, handleProtocols: () => PROTOCOL })
      server.handleUpgrade(request, connection, head, socket => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
        socket.on('error', () => socket.terminate())
        ticket.opened(socket)
      })
    },

    stop() {
      for (const { timer } of tickets.values()) clearTimeout(timer)
      for (const socket of sockets) socket.terminate()
    },
  }
}

/** The answer as frames of a WebSocket. `lost`: each so-many-th of them does not arrive, except the end. */
export function frameStream(
  { entry, upstream }: Pick<WebCall, 'entry' | 'upstream'>,
  socket: WebSocket,
  { conversation_id, lost }: { conversation_id: string; lost: number | undefined },
): Sink {
  let sequenceId = 0
  let drained = () => {}
  socket.on('message', (bytes: Buffer) => {
    const frame = parseJson(bytes.toString('utf8'))
    if (!isRecord(frame) || frame.type !== 'sequenceAck' || typeof frame.sequenceId !== 'number') return
    entry.web?.acknowledged.push(frame.sequenceId)
    upstream.journal.sent(entry, '')
  })
  socket.send(JSON.stringify({ type: 'system', event: 'connected', userId: 'user', connectionId: randomUUID() }))

  const frame = (line: string, id = conversation_id) => {
    sequenceId += 1
    if (lost !== undefined && sequenceId % lost === 0 && line !== DONE) return
    const body = Buffer.from(line).toString('base64')
    const data = { type: 'http.response.body', conversation_id: id, body, more_body: true, response_id: entry.id }
    const written = { type: 'message', from: 'group', group: 'answers', dataType: 'json', sequenceId, data }
    socket.send(JSON.stringify(written), () => {
      if (socket.bufferedAmount < MOST_WAITING_BYTES) drained()
    })
  }

  function write(events: readonly NonNullable<AnswerEvent>[]): boolean {
    for (const event of events) {
      frame(wireOf(event))
      if (sequenceId % FOREIGN_EVERY === 0) frame(FOREIGN, randomUUID())
    }
    return socket.bufferedAmount < MOST_WAITING_BYTES
  }

  return {
    write,
    end(end, written) {
      if (end === 'complete') frame(DONE)
      written()
      if (end === 'no_done') socket.close()
    },
    cut: () => socket.terminate(),
    onDrain(listener) {
      drained = listener
    },
    onClose: closed => socket.on('close', closed),
  }
}

const DONE = 'data: [DONE]\n\n'
const FOREIGN = `data: ${JSON.stringify({ message: { id: 'foreign', author: { role: 'assistant' }, content: { content_type: 'text', parts: ['not yours'] } } })}\n\n`
