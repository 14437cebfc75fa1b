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
import { exchange, type Deadlines, type OutboundAnswer } from './exchange.ts'
import { OutboundFailure } from './failure.ts'
import { retryStale } from './staleConnection.ts'
import { unpacked } from './unpacking.ts'

export type { AddressPolicy } from './addresses.ts'
export type { OutboundAnswer, OutboundBody } from './exchange.ts'
export { OutboundFailure } from './failure.ts'

export type OutboundRequest = Deadlines & {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
  proxy?: string | null
  addresses: AddressPolicy
}

/** The only way to send requests from this program: each has its deadlines, and goes only where its policy allows. */
export type Outbound = {
  request(request: OutboundRequest): Promise<OutboundAnswer>
  /** Throws an OutboundFailure if a request to this address would not be allowed. */
  requireAllowed(url: string, addresses: AddressPolicy, timeout_ms?: number): Promise<void>
  /** Cuts what is under way. */
  close(): Promise<void>
}

/** How many dispatchers are kept, each with its connections: one for each proxy and policy in use. */
const MOST_DISPATCHERS = 32

/**
 * Milliseconds that a connection waits for the next request, where the other side does not say how long it waits: as long as somebody may
 * read an answer before asking on. To an endpoint far away a new one takes longer than all that is done here.
 */
const KEPT_FOR = 180_000

/** Milliseconds. A backstop: each request brings its own, shorter deadline for the connection. */
const LONGEST_CONNECT = 120_000

export function openOutbound({ resolve = systemResolve }: { resolve?: Resolve } = {}): Outbound {
  const dispatchers = new Map<string, Dispatcher>()

  const dispatcherFor = (proxy: string | null, addresses: AddressPolicy): Dispatcher => {
    const key = JSON.stringify([proxy, addresses])
    const known = dispatchers.get(key)
    if (known !== undefined) return known
    const [oldest] = dispatchers
    if (oldest !== undefined && dispatchers.size >= MOST_DISPATCHERS) {
      dispatchers.delete(oldest[0])
      void oldest[1].close()
    }
    const made = dispatcher(proxy, addresses, resolve)
    dispatchers.set(key, made)
    return made
  }

  return {
    async request({ method, url: address, headers = {}, body = null, signal, proxy = null, addresses, ...deadlines }) {
      const url = parsed(address)
      const options = {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        body,
        // Whoever packs all the same is understood, and the bounds of who reads count what was unpacked.
        headers: { 'accept-encoding': 'identity', 'user-agent': 'chat-commons', ...headers },
        headersTimeout: 0,
        bodyTimeout: 0,
      }
      const prepare = async () => {
        const allowed = await lookUpAllowed(url, addresses, resolve)
        const dispatcher = dispatcherFor(proxy, addresses)
        if (proxy === null || allowed === null) return { dispatcher, options }
        // A proxy would look the name up once more, and might find another address. TLS still asks for the name, and checks it: by this header.
        return {
          dispatcher,
          options: { ...options, origin: originAt(url, allowed), headers: { ...options.headers, host: url.host } },
        }
      }
      const answer = await retryStale(deadlines.total_timeout_ms, total_timeout_ms =>
        exchange(prepare, { ...deadlines, total_timeout_ms }, signal),
      )
      return unpacked(answer)
    },
    requireAllowed: async (url, addresses, timeout_ms) => requireAllowed(parsed(url), addresses, resolve, timeout_ms),
    async close() {
      const open = [...dispatchers.values()]
      dispatchers.clear()
      await Promise.all(open.map(each => each.destroy()))
    },
  }
}

function dispatcher(proxy: string | null, addresses: AddressPolicy, resolve: Resolve): Dispatcher {
  const options = { allowH2: false, connectTimeout: LONGEST_CONNECT, keepAliveTimeout: KEPT_FOR }
  if (proxy !== null) return new ProxyAgent({ ...options, uri: proxy })
  if (addresses === 'any') return new Agent(options)
  return new Agent({
    ...options,
    connect: { lookup: guardedLookup(addresses.except, resolve), timeout: LONGEST_CONNECT },
  })
}

function parsed(address: string): URL {
  if (!URL.canParse(address)) throw new OutboundFailure('address')
  return new URL(address)
}
