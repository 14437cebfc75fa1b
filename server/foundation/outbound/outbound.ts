import { Readable } from 'node:stream'
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import {
  guardedLookup,
  lookUpAllowed,
  originAt,
  requireAllowed,
  systemResolve,
  type AddressPolicy,
  type Resolve,
} from './addresses.ts'
import type { Deadlines, OutboundAnswer } from './answer.ts'
import { exchange } from './exchange.ts'
import { OutboundFailure, retryStale } from './failure.ts'
import type { StreamedContent } from './streamedContent.ts'
import { type FrameReader, type OutboundSocketRequest, readFrames } from './webSocket.ts'

export type { AddressPolicy } from './addresses.ts'
export type { OutboundAnswer, OutboundBody } from './answer.ts'
export { OutboundFailure } from './failure.ts'
export type { StreamedContent } from './streamedContent.ts'
export type { FrameReader } from './webSocket.ts'

export type OutboundRequest = Deadlines & {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  url: string
  headers?: Record<string, string>
  /**
   * Of streamed content exactly `size` bytes are sent, or the request fails. What can be made again may go over a
   * connection that was kept, since it is sent once more where that turns out to be stale.
   */
  body?: string | Buffer | { content: StreamedContent | (() => StreamedContent); size: number }
  signal?: AbortSignal
  proxy?: string | null
  addresses: AddressPolicy
}

/** The only way to send requests from this program: each has its deadlines, and goes only where its policy allows. */
export type Outbound = {
  request(request: OutboundRequest): Promise<OutboundAnswer>
  /** Connects to a WebSocket and reads its frames of text until the reader has enough, or the other side closes. */
  webSocket(request: OutboundSocketRequest, read: FrameReader): Promise<void>
  /** Throws an OutboundFailure if a request to this address would not be allowed. */
  requireAllowed(url: string, addresses: AddressPolicy, timeout_ms?: number): Promise<void>
  /** Cuts what is under way. */
  close(): Promise<void>
}

/** How many dispatchers are kept, each with its connections: one for each proxy and policy in use. */
const MAX_DISPATCHERS = 32

/**
 * Milliseconds that a connection waits for the next request, where the other side does not say how long it waits: as
 * long as somebody may read an answer before asking on. To an endpoint far away a new one takes longer than all that is
 * done here.
 */
const KEEP_ALIVE_MS = 180_000

/** Milliseconds. A backstop: each request brings its own, shorter deadline for the connection. */
const MAX_CONNECT = 120_000

export function openOutbound({ resolve = systemResolve }: { resolve?: Resolve } = {}): Outbound {
  const dispatchers = new Map<string, Dispatcher>()
  const closing = new AbortController()

  const dispatcherFor = (proxy: string | null, addresses: AddressPolicy, keeps: boolean): Dispatcher => {
    const key = JSON.stringify([proxy, addresses, keeps])
    const known = dispatchers.get(key)
    if (known !== undefined) return known
    const [oldest] = dispatchers
    if (oldest !== undefined && dispatchers.size >= MAX_DISPATCHERS) {
      dispatchers.delete(oldest[0])
      void oldest[1].close()
    }
    const made = dispatcher({ proxy, addresses, keeps }, resolve)
    dispatchers.set(key, made)
    return made
  }

  return {
    async request({ method, url: address, headers = {}, body = null, signal, proxy = null, addresses, ...deadlines }) {
      const url = parsed(address)
      const streamed = isStreamed(body) ? body : null
      const content = streamed?.content ?? null
      if (content instanceof Readable) content.on('error', () => {}) // it may break off before it is asked for
      const isSentOnce = content !== null && typeof content !== 'function'
      const options = {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        body: isStreamed(body) ? null : body,
        // Whoever packs all the same is understood, and the bounds of who reads count what was unpacked.
        headers: {
          'accept-encoding': 'identity',
          'user-agent': 'chat-commons',
          ...(streamed !== null && { 'content-length': String(streamed.size) }),
          ...headers,
        },
        headersTimeout: 0,
        bodyTimeout: 0,
      }
      const prepare = async () => {
        const allowed = await lookUpAllowed(url, addresses, resolve)
        const dispatcher = dispatcherFor(proxy, addresses, !isSentOnce)
        if (proxy === null || allowed === null) return { dispatcher, options }
        // A proxy would look the name up once more, and might find another address. TLS still asks for the name, and
        // checks it: by this header.
        return {
          dispatcher,
          options: { ...options, origin: originAt(url, allowed), headers: { ...options.headers, host: url.host } },
        }
      }
      const send = (total_timeout_ms: number) =>
        exchange(prepare, {
          deadlines: { ...deadlines, total_timeout_ms },
          signal,
          content: typeof content === 'function' ? content() : content,
        })
      const { total_timeout_ms } = deadlines
      return isSentOnce ? send(total_timeout_ms) : retryStale(total_timeout_ms, send)
    },
    async webSocket({ addresses, signal, ...wanted }, read) {
      // The rules are those of requests: wss: is https:.
      const url = parsed(wanted.url.replace(/^ws/i, 'http'))
      const prepare = async () => {
        const allowed = await lookUpAllowed(url, addresses, resolve)
        return {
          lookup: addresses === 'any' ? null : guardedLookup(addresses.except, resolve),
          origin: allowed === null ? url.origin : originAt(url, allowed),
        }
      }
      const ends = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
      return readFrames({ ...wanted, signal: ends }, prepare, read)
    },
    requireAllowed: async (url, addresses, timeout_ms) => requireAllowed(parsed(url), addresses, resolve, timeout_ms),
    async close() {
      closing.abort()
      const open = [...dispatchers.values()]
      dispatchers.clear()
      await Promise.all(open.map(each => each.destroy()))
    },
  }
}

type Body = NonNullable<OutboundRequest['body']>

const isStreamed = (body: Body | null): body is Exclude<Body, string | Buffer> =>
  body !== null && typeof body === 'object' && !Buffer.isBuffer(body)

/**
 * `keeps`: connections, for the next request. A stream cannot be sent again when the kept one turns out to be stale.
 */
type DispatcherOptions = { proxy: string | null; addresses: AddressPolicy; keeps: boolean }

function dispatcher({ proxy, addresses, keeps }: DispatcherOptions, resolve: Resolve): Dispatcher {
  const options = {
    allowH2: false,
    connectTimeout: MAX_CONNECT,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...(!keeps && { pipelining: 0 }),
  }
  if (proxy !== null) return new ProxyAgent({ ...options, uri: proxy })
  if (addresses === 'any') return new Agent(options)
  return new Agent({
    ...options,
    connect: { lookup: guardedLookup(addresses.except, resolve), timeout: MAX_CONNECT },
  })
}

function parsed(address: string): URL {
  if (!URL.canParse(address)) throw new OutboundFailure('address')
  return new URL(address)
}
