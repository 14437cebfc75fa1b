import type { IncomingHttpHeaders } from 'node:http'

/** The session's cookie by its two names: the second where the portal is not reached by https. */
export const SESSION_COOKIES = ['__Host-commons_session', 'commons_session'] as const

export type Cookies = Record<string, string | undefined>

export function sessionCookieOf(cookies: Cookies): string | undefined {
  return cookies[SESSION_COOKIES[0]] ?? cookies[SESSION_COOKIES[1]]
}

/**
 * Whether a request that changes state may come from that origin. `Sec-Fetch-Site` decides where a browser sends it, else `Origin`. A
 * client that sends neither is no page in a browser: it is let through without a session cookie, and refused with one.
 */
export function originRule(options: { publicOrigin(): string | null; corsOrigins: readonly string[] }) {
  const further = new Set(options.corsOrigins)
  return ({ origin, host, cookie, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean => {
    if (origin !== undefined && further.has(origin)) return true
    if (site !== undefined) return site === 'same-origin' || site === 'none'
    if (origin !== undefined) {
      const own = options.publicOrigin()
      return own === null ? host !== undefined && hostOf(origin) === host : origin === own
    }
    return cookie === undefined || !SESSION_COOKIES.some(name => cookie.includes(`${name}=`))
  }
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}
