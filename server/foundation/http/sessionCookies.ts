import { SESSION_COOKIE, withPort } from '#contract/users.ts'

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
