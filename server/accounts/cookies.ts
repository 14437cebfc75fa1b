import { markerCookie, OLD_MARKER_COOKIE } from '#contract/accounts.ts'
import { sessionCookieName } from '#server/foundation/http/sessionCookies.ts'

/** Where the browser finds the portal: its public origin, or else the host that the request is for. */
export type Address = { at: string; secure: boolean }

/**
 * The values of Set-Cookie that begin a session: the secret one, and the markers that scripts may read. `held` are the names under which
 * the browser has had sessions of this portal. Those of another portal at the same host stay.
 */
export function sessionCookies(
  token: string,
  max_age_seconds: number,
  { at, secure }: Address,
  held: readonly string[] = [],
): string[] {
  const own = sessionCookieName(at, secure)
  return [
    cookie(own, token, max_age_seconds, secure, 'HttpOnly'),
    cookie(markerCookie(at), '1', max_age_seconds, secure),
    cookie(OLD_MARKER_COOKIE, '1', max_age_seconds, secure),
    ...held.filter(name => name !== own).map(name => cleared(name, secure)),
  ]
}

export function clearedCookies({ at, secure }: Address, held: readonly string[] = []): string[] {
  const own = secure ? [sessionCookieName(at, true), sessionCookieName(at, false)] : [sessionCookieName(at, false)]
  return [
    ...[...new Set([...own, ...held])].map(name => cleared(name, secure)),
    cookie(markerCookie(at), '', 0, secure),
    cookie(OLD_MARKER_COOKIE, '', 0, secure),
  ]
}

const cleared = (name: string, secure: boolean): string => cookie(name, '', 0, secure, 'HttpOnly')

function cookie(name: string, value: string, max_age_seconds: number, secure: boolean, ...more: string[]): string {
  const attributes = [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${max_age_seconds}`,
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
    ...more,
  ]
  return attributes.join('; ')
}
