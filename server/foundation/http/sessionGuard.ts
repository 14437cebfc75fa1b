import proxyAddress from '@fastify/proxy-addr'
import type { IncomingMessage } from 'node:http'
import type { Metrics } from '../metrics.ts'
import { Refusal } from '../refusal.ts'
import { addressKey, type RequestRates } from './rates.ts'
import { type Cookies, type SentSession, sentSessions } from './sessionCookies.ts'

/** Who is signed in, as far as this layer must know. */
export type SignedIn = { id: number; is_superuser: boolean }

type Dependencies<U> = {
  authenticate(token: string): Promise<U | null>
  publicOrigin(): string | null
  rates: RequestRates
  metrics: Metrics
  trustedProxies: readonly string[]
}

export type SessionGuard<U> = ReturnType<typeof sessionGuard<U>>

/**
 * Authenticates requests and handshakes, and limits their rate. A valid session has a rate limit of its own; a request
 * with a made-up cookie counts against its address.
 */
export function sessionGuard<U>({ authenticate, publicOrigin, rates, metrics, trustedProxies }: Dependencies<U>) {
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
    sessionsIn: (cookies: Cookies, host: string | undefined): SentSession[] =>
      sentSessions(cookies, publicOrigin(), host),

    /** Throws a refusal when there were too many requests. */
    requireRate(request: IncomingMessage, sent: readonly SentSession[]): void {
      // The client was gone before anybody looked at what it sent. An address that was read once stays known.
      if (request.socket.remoteAddress === undefined) throw new Refusal('timeout')
      take(sent.find(({ token }) => rates.knows(token))?.token ?? addressKey(proxyAddress(request, isTrusted)))
    },

    /** Whose session it is; null without one that is still good. */
    async authenticate(sent: readonly SentSession[]): Promise<U | null> {
      for (const { token } of sent) {
        const user = await authenticate(token)
        if (user === null) continue
        if (!rates.knows(token)) take(token)
        return user
      }
      return null
    },
  }
}
