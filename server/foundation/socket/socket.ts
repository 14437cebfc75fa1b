import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { rawAnswer, statusOf } from '../http/errors.ts'
import type { Http } from '../http/http.ts'
import type { SignedIn } from '../http/sessionGuard.ts'
import type { Log } from '../logging.ts'
import type { Metrics } from '../metrics.ts'
import { Refusal } from '../refusal.ts'
import { socketConnection, type Connection, type Socket } from './connection.ts'

export type { Socket } from './connection.ts'

export type SocketOptions<U extends SignedIn> = {
  path: string
  /** Subprotocols that are spoken. A client that offers none is an old one; one that offers only others is refused. */
  protocols: string[]
  /** Paths that are asked by HTTP alone, where whoever tries a socket first is to know at once. */
  httpOnly?(url: string): boolean
  /** Bytes of one message. */
  max_payload: number
  /** The same person as they are now; null when the session has ended meanwhile. */
  authenticateAgain(user: U): Promise<U | null>
  /** How many one person may have open, and all of them together. */
  perUser(): number
  total(): number
  onSocket(socket: Socket<U>): Promise<void>
  /** For statistics: a socket was opened, and how long that took. */
  countSocket?(user_id: number, elapsed_ms: number): void
  log: Log
  metrics: Metrics
  /** Between two pings. Who stays silent through three of these is gone, so the default finds out within a minute. */
  ping_ms?: number
}

export type Sockets<U extends SignedIn> = {
  /** The sessions of the open sockets, one for each socket. */
  users(): U[]
  closeWhere(predicate: (user: U) => boolean, code: number, reason: string): void
  /** Refuses new sockets, closes the open ones with code 1012, and cuts those that do not answer. */
  close(grace_ms?: number): Promise<void>
  readonly count: number
}

type Admitted<U> = { user: U; protocol: string }

/** Accepts WebSockets on one path. Whatever is wrong with a handshake is answered by HTTP, before there is a socket. */
export function acceptSockets<U extends SignedIn>(http: Http<U>, options: SocketOptions<U>): Sockets<U> {
  const { log, metrics, ping_ms = 19_000 } = options
  const { server } = http.fastify
  const handshakes = new WebSocketServer(handshakeOptions(options))
  const open = new Set<Connection<U>>()
  const slots = connectionSlots(options)
  let stopping = false

  const upgrade = async (request: IncomingMessage, raw: Duplex, head: Buffer): Promise<void> => {
    const began = performance.now()
    raw.on('error', hangUp)
    if (stopping) throw new Refusal('serverStopping')
    const { user, protocol } = await admit(http, options, request)
    if (raw.destroyed) return
    const release = slots.take(user.id)
    raw.once('close', release)
    raw.off('error', hangUp)
    handshakes.handleUpgrade(request, raw, head, ws => {
      const { max_payload } = options
      const userNow = () => options.authenticateAgain(user)
      const connection = socketConnection({ ws, raw, user, protocol, max_payload, userNow })
      open.add(connection)
      metrics.sockets.inc()
      options.countSocket?.(user.id, performance.now() - began)
      connection.socket.closed.addEventListener('abort', () => {
        open.delete(connection)
        metrics.sockets.dec()
      })
      options.onSocket(connection.socket).catch(error => {
        log.error({ err: error, user: user.id }, 'unexpected error in a socket')
        connection.socket.close(1011, 'internal error')
      })
    })
  }

  server.on('upgrade', (request, raw, head) => {
    if (options.httpOnly?.(request.url ?? '') === true) {
      raw.on('error', hangUp).end(NO_UPGRADE)
      return
    }
    upgrade(request, raw, head).catch(error => {
      if (!(error instanceof Refusal)) log.error({ err: error }, 'unexpected error in a handshake')
      const refusal = error instanceof Refusal ? error : new Refusal('internal')
      metrics.refusedSockets.inc({ status: statusOf(refusal.key) })
      if (raw.writable) raw.end(rawAnswer(refusal))
      else raw.destroy()
    })
  })
  const pingTimer = setInterval(() => {
    for (const each of open) each.ping()
  }, ping_ms).unref()
  server.once('close', () => clearInterval(pingTimer))

  return {
    users: () => [...open].map(({ socket }) => socket.user),
    closeWhere(predicate, code, reason) {
      for (const { socket } of open) if (predicate(socket.user)) socket.close(code, reason)
    },
    async close(grace_ms = 2000) {
      stopping = true
      clearInterval(pingTimer)
      const closed = [...open].map(({ socket }) => {
        socket.close(1012, 'restart')
        return new Promise<void>(resolve => {
          socket.closed.addEventListener('abort', () => resolve())
        })
      })
      const cut = setTimeout(() => {
        for (const each of open) each.terminate()
      }, grace_ms)
      await Promise.all(closed)
      clearTimeout(cut)
    },
    get count() {
      return open.size
    },
  }
}

const NO_UPGRADE = 'HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

function handshakeOptions({ max_payload, protocols }: { max_payload: number; protocols: string[] }) {
  return {
    noServer: true,
    perMessageDeflate: false,
    // A longer message is closed by ws without a reason for people to read; up to here it is closed with one.
    maxPayload: 2 * max_payload,
    clientTracking: false,
    /** Milliseconds for the other side to answer a close, before the connection is cut. */
    closeTimeout: 5000,
    // Chosen before the upgrade; the client must find its own word again in the answer.
    handleProtocols: (offered: Set<string>) => [...offered].find(each => protocols.includes(each)) ?? (false as const),
  }
}

/** Who may open a socket, and the protocol that both speak; throws a refusal, which is answered by HTTP. */
async function admit<U extends SignedIn>(
  http: Http<U>,
  options: SocketOptions<U>,
  request: IncomingMessage,
): Promise<Admitted<U>> {
  const { headers, url = '' } = request
  if (url.split('?', 1)[0] !== options.path) throw new Refusal('resourceNotFound')
  const sent =
    headers.cookie === undefined ? [] : http.guard.sessionsIn(http.fastify.parseCookie(headers.cookie), headers.host)
  http.guard.requireRate(request, sent)
  if (sent.length === 0) throw new Refusal('unauthorized')
  if (!http.originAllowed(headers)) throw new Refusal('originNotAllowed')
  const protocol = protocolOf(headers['sec-websocket-protocol'], options.protocols)
  const user = await http.guard.authenticate(sent)
  if (user === null) throw new Refusal('loginExpired')
  return { user, protocol }
}

function protocolOf(offered: string | undefined, spoken: string[]): string {
  if (offered === undefined) return ''
  const common = offered
    .split(',')
    .map(each => each.trim())
    .find(each => spoken.includes(each))
  if (common === undefined) throw new Refusal('invalidRequest')
  return common
}

/** Counts from the handshake on, so that many handshakes at once do not pass together. */
function connectionSlots({ perUser, total }: { perUser(): number; total(): number }) {
  const taken = new Map<number, number>()
  let all = 0
  return {
    take(user: number): () => void {
      const own = taken.get(user) ?? 0
      if (own >= perUser() || all >= total()) throw new Refusal('tooManyRequests', { retry_after_seconds: 60 })
      taken.set(user, own + 1)
      all++
      return () => {
        const left = (taken.get(user) ?? 1) - 1
        if (left === 0) taken.delete(user)
        else taken.set(user, left)
        all--
      }
    },
  }
}

/** A client that goes away in the middle of the handshake is nobody's mistake. */
function hangUp(this: Duplex): void {
  this.destroy()
}
