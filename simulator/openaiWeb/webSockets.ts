import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

const PROTOCOL = 'json.reliable.webpubsub.azure.v1'
const PATH = '/web-socket/'
/** Milliseconds until a WebSocket that nobody opens is forgotten. */
const OPEN_WITHIN = 60_000
const MAX_TICKETS = 1_000

type Ticket = { opened: (socket: WebSocket) => void; timer: NodeJS.Timeout }

export type WebSockets = ReturnType<typeof createWebSockets>

/** WebSockets over which answers are sent: each has an address of its own that is opened once. */
export function createWebSockets() {
  const tickets = new Map<string, Ticket>()
  const sockets = new Set<WebSocket>()

  return {
    /** Returns the path of a new WebSocket. Calls `opened` when a client opens it in time, else `expired`. */
    expect(opened: (socket: WebSocket) => void, expired: () => void): string {
      const path = `${PATH}${randomUUID()}`
      const timer = setTimeout(() => {
        tickets.delete(path)
        expired()
      }, OPEN_WITHIN)
      timer.unref()
      tickets.set(path, { opened, timer })
      const [oldest] = tickets.keys()
      if (tickets.size > MAX_TICKETS && oldest !== undefined) tickets.delete(oldest)
      return path
    },

    /** For the server's `upgrade` event. */
    upgrade(request: IncomingMessage, connection: Duplex, head: Buffer) {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const ticket = tickets.get(path)
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(each => each.trim())
      if (!ticket || !offered.includes(PROTOCOL))
        return void connection.end(`HTTP/1.1 ${ticket ? 400 : 404} Refused\r\nConnection: close\r\n\r\n`)
      tickets.delete(path)
      clearTimeout(ticket.timer)
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
