import { MARKER_COOKIE } from '#contract/accounts.ts'
import { type Cookies, SESSION_COOKIES } from '#server/foundation/httpOrigin.ts'

/** A browser keeps the first only over https and for this host alone: a sibling sub-domain cannot plant one. */
const [SECURE_COOKIE, PLAIN_COOKIE] = SESSION_COOKIES

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** The token a browser sent, if any. Where the portal is known to be open on https only the protected name counts. */
export function tokenOf(cookies: Cookies, public_origin: string | null): string | null {
  const sent = cookies[SECURE_COOKIE] ?? (isHttps(public_origin) ? undefined : cookies[PLAIN_COOKIE])
  return sent !== undefined && TOKEN.test(sent) ? sent : null
}

export const isHttps = (public_origin: string | null): boolean => public_origin?.startsWith('https://') ?? false

/** The values of Set-Cookie that begin a session: the secret one, and the marker that scripts may read. */
export function sessionCookies(token: string, max_age_seconds: number, secure: boolean): string[] {
  return [
    cookie(secure ? SECURE_COOKIE : PLAIN_COOKIE, token, max_age_seconds, secure, 'HttpOnly'),
    cookie(MARKER_COOKIE, '1', max_age_seconds, secure),
  ]
}

export function clearedCookies(secure: boolean): string[] {
  return [
    ...(secure ? [cookie(SECURE_COOKIE, '', 0, true, 'HttpOnly')] : []),
    cookie(PLAIN_COOKIE, '', 0, secure, 'HttpOnly'),
    cookie(MARKER_COOKIE, '', 0, secure),
  ]
}

function cookie(name: string, value: string, max_age_seconds: number, secure: boolean, ...more: string[]): string {
  const attributes = [`${name}=${value}`, 'Path=/', `Max-Age=${max_age_seconds}`, 'SameSite=Lax', ...(secure ? ['Secure'] : []), ...more]
  return attributes.join('; ')
}
