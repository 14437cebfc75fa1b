import { isIP, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { Client } from 'undici'
import { WebSocket } from 'ws'
import type { AddressPolicy } from './addresses.ts'
import { type Deadlines, type ReaderSignal, readingTurn } from './answer.ts'
import { deadlineTimer, OutboundFailure } from './failure.ts'

/** The deadline for silence counts from one frame to the next. */
export type OutboundSocketRequest = Pick<Deadlines, 'connect_timeout_ms' | 'idle_timeout_ms' | 'total_timeout_ms'> & {
  /** wss: or ws: */
  url: string
  protocol: string
  /** Of one frame; a longer one ends the connection. */
  max_bytes: number
  signal?: AbortSignal
  proxy?: string | null
  addresses: AddressPolicy
}

/** The other direction, for whoever reads. */
type OutboundSocket = {
  send(text: string): void
  /** The deadline for silence from now on. */
  setIdleTimeout(ms: number): void
}

export type FrameReader = (frame: string, socket: OutboundSocket) => ReaderSignal

/** How the host is reached: names are looked up by `lookup`, or a proxy connects to this origin. */
export type Route = { lookup: LookupFunction | null; origin: string }

/** Milliseconds that the other side has to answer a close. */
const CLOSE_TIMEOUT = 1_000
/** Bytes that may wait to be sent; nothing is sent on top of them. */
const MAX_WAITING = 64 * 1024

type SocketRequest = Omit<OutboundSocketRequest, 'addresses'>

/**
 * Reads frames of text until the reader has enough, or the other side closes. Rejects with an OutboundFailure, or with
 * what the reader throws. Every ending closes the connection, whether or not the other side takes part.
 */
export function readFrames(request: SocketRequest, prepare: () => Promise<Route>, read: FrameReader): Promise<void> {
  return new Frames(request, read).begin(prepare)
}

class Frames {
  readonly #request: SocketRequest
  readonly #read: FrameReader
  readonly #done = Promise.withResolvers<void>()
  readonly #ended = new AbortController()
  readonly #phase = deadlineTimer(kind => this.#end(new OutboundFailure(kind)))
  readonly #total = deadlineTimer(kind => this.#end(new OutboundFailure(kind)))
  readonly #abort = (): void => this.#end(new OutboundFailure('aborted'))
  readonly #turn = readingTurn(
    () => this.#socket?.pause(),
    () => this.#socket?.resume(),
  )
  #socket: WebSocket | null = null

  constructor(request: SocketRequest, read: FrameReader) {
    this.#request = request
    this.#read = read
  }

  begin(prepare: () => Promise<Route>): Promise<void> {
    const { signal, total_timeout_ms, connect_timeout_ms } = this.#request
    if (signal?.aborted) return Promise.reject(new OutboundFailure('aborted'))
    signal?.addEventListener('abort', this.#abort)
    this.#total.start('total_timeout', total_timeout_ms)
    this.#phase.start('connect_timeout', connect_timeout_ms)
    prepare()
      .then(route => this.#open(route))
      .catch((cause: unknown) => this.#end(asFailure(cause, 'connect')))
    return this.#done.promise
  }

  async #open({ lookup, origin }: Route): Promise<void> {
    const { url, protocol, max_bytes, proxy = null } = this.#request
    const through = proxy === null ? null : await tunnel(proxy, new URL(origin), this.#ended.signal)
    if (this.#ended.signal.aborted) return void through?.destroy()
    this.#socket = new WebSocket(url, [protocol], {
      maxPayload: max_bytes,
      perMessageDeflate: false,
      headers: { 'user-agent': 'chat-commons' },
      ...(lookup !== null && { lookup }),
      ...(through !== null && { createConnection: () => secured(through, new URL(url)) }),
    })
    this.#listen(this.#socket)
  }

  #listen(socket: WebSocket): void {
    const other: OutboundSocket = {
      send(text) {
        if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < MAX_WAITING) socket.send(text)
      },
      setIdleTimeout: ms => this.#phase.start('idle_timeout', ms),
    }
    let isOpen = false
    socket.on('open', () => {
      isOpen = true
      if (!this.#ended.signal.aborted) this.#phase.start('idle_timeout', this.#request.idle_timeout_ms)
    })
    socket.on('message', (data: Buffer, isBinary) => {
      const began = performance.now()
      if (!isBinary && !this.#ended.signal.aborted) this.#deliver(data, other)
      this.#turn.count(began)
    })
    // Each is answered, and who does not read the answers would have them pile up here.
    socket.on('ping', () => {
      if (socket.bufferedAmount > MAX_WAITING) this.#end(new OutboundFailure('network'))
    })
    socket.on('error', cause => this.#end(asFailure(cause, isOpen ? 'network' : 'connect')))
    socket.on('close', code => this.#end(code === 1006 ? new OutboundFailure('network') : null))
  }

  #deliver(data: Buffer, other: OutboundSocket): void {
    this.#phase.again()
    try {
      if (this.#read(data.toString(), other) !== 'continue') this.#end(null)
    } catch (error) {
      this.#end(error)
    }
  }

  /** Every ending passes through here. */
  #end(failure: unknown): void {
    if (this.#ended.signal.aborted) return
    this.#ended.abort()
    this.#phase.stop()
    this.#total.stop()
    this.#request.signal?.removeEventListener('abort', this.#abort)
    if (this.#socket !== null) hangUp(this.#socket)
    if (failure === null) this.#done.resolve()
    else this.#done.reject(failure)
  }
}

const asFailure = (cause: unknown, kind: 'connect' | 'network'): OutboundFailure =>
  cause instanceof OutboundFailure ? cause : new OutboundFailure(kind, { cause })

/** What was sent last is let out. */
function hangUp(socket: WebSocket): void {
  if (socket.readyState !== WebSocket.OPEN) return socket.terminate()
  socket.close()
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT).unref()
}

/** A connection to an origin through a proxy. */
async function tunnel(proxy: string, { protocol, hostname, port }: URL, signal: AbortSignal): Promise<Duplex> {
  const { origin, username, password } = new URL(proxy)
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  const name = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const { statusCode, socket } = await new Client(origin).connect({
    path: host,
    signal,
    headers: {
      host,
      ...(username !== '' && { 'proxy-authorization': `Basic ${Buffer.from(name).toString('base64')}` }),
    },
  })
  if (statusCode === 200) return socket
  socket.destroy()
  throw new OutboundFailure('connect')
}

/** An address is no name that TLS could ask for; the certificate is checked against it all the same. */
function secured(through: Duplex, { protocol, hostname }: URL): Duplex {
  if (protocol !== 'wss:') return through
  const host = hostname.replace(/^\[|\]$/g, '')
  return connectTls({ socket: through, host, ...(isIP(host) === 0 && { servername: host }) })
}
