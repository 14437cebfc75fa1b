import proxyAddress from '@fastify/proxy-addr'
import type { IncomingMessage } from 'node:http'
import { sessionCookieOf, type Cookies } from './httpOrigin.ts'
import { addressKey, type RequestRates } from './httpRates.ts'
import type { Metrics } from './metrics.ts'
import { Refusal } from './refusal.ts'

type Needs<U> = {
  authenticate(cookies: Cookies): Promise<U | null>
  rates: RequestRates
  metrics: Metrics
  trustedProxies: readonly string[]
}

export type Visits<U> = ReturnType<typeof countedVisits<U>>

/**
 * Authenticates requests and handshakes and limits their rate. Only valid sessions have a rate limit of their own; requests with
 * made-up cookies count against their address.
 */
export function countedVisits<U>({ authenticate, rates, metrics, trustedProxies }: Needs<U>) {
  const isTrusted = proxyAddress.compile([...trustedProxies])

  const take = (name: string): void => {
    try {
      rates.take(name)
    } catch (refusal) {
      metrics.limitedRequests.inc()
      throw refusal
    }
  }

  return {
    /** Throws a refusal when there were too many. */
    count(request: IncomingMessage, cookies: Cookies): void {
      // The client was gone before anybody looked at what it sent. An address that was read once stays known.
      if (request.socket.remoteAddress === undefined) throw new Refusal('timeout')
      const session = sessionCookieOf(cookies)
      take(session !== undefined && rates.knows(session) ? session : addressKey(proxyAddress(request, isTrusted)))
    },

    /** Whose session it is; null without one that is still good. */
    async recognise(cookies: Cookies): Promise<U | null> {
      const session = sessionCookieOf(cookies)
      if (session === undefined) return null
      const user = await authenticate(cookies)
      if (user !== null && !rates.knows(session)) take(session)
      return user
    },
  }
}
