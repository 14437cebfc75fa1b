import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { SESSION_COOKIE, withPort } from '#contract/users.ts'
import type { Metrics } from '../metrics.ts'
import { Refusal } from '../refusal.ts'
import { addressKey, type RequestRates } from './rates.ts'

/** Who is signed in, as far as this layer must know. */
export type SignedIn = { id: number; is_superuser: boolean; nickname?: string }

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

export type Cookies = Record<string, string | undefined>

/**
 * A browser keeps a cookie with this prefix only over https and for this host alone: a sibling sub-domain cannot plant
 * one.
 */
const PROTECTED = '__Host-'
const ANY_SESSION = new RegExp(`(?:^|[;\\s])(?:${PROTECTED})?${SESSION_COOKIE}(?:_\\d+)?=`)
/** Of each one is looked up until one holds. */
const MAX_SESSIONS = 4

export type SentSession = { name: string; token: string }

export const isHttps = (public_origin: string | null): boolean => public_origin?.startsWith('https://') ?? false

/**
 * `at` is the portal's public origin, or else the host that a request is for: cookies ignore ports, so that two portals
 * at one host need names of their own.
 */
export const sessionCookieName = (at: string, secure: boolean): string =>
  (secure ? PROTECTED : '') + withPort(SESSION_COOKIE, at)

export function hasSessionCookie(header: string): boolean {
  return ANY_SESSION.test(header)
}

/**
 * What a browser sent that may be a session here, its own names of this address first. The others may be of this portal
 * at the address that it had before, or of an earlier version; or they are of another portal at the same host, and
 * nobody knows them here. Where the portal is known to be open on https only protected names count.
 */
export function sentSessions(cookies: Cookies, public_origin: string | null, host: string | undefined): SentSession[] {
  const at = public_origin ?? host ?? ''
  const own = [sessionCookieName(at, true), sessionCookieName(at, false)]
  const further = Object.keys(cookies).filter(name => !own.includes(name) && ANY_SESSION.test(`${name}=`))
  return [...own, ...further.sort(protectedFirst)]
    .filter(name => name.startsWith(PROTECTED) || !isHttps(public_origin))
    .flatMap(name => (cookies[name] === undefined ? [] : [{ name, token: cookies[name] }]))
    .slice(0, MAX_SESSIONS)
}

const protectedFirst = (one: string, other: string) =>
  Number(other.startsWith(PROTECTED)) - Number(one.startsWith(PROTECTED))
