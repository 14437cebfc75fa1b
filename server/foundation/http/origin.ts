import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Log } from '../logging.ts'
import { hasSessionCookie } from './sessionGuard.ts'

/**
 * Whether a request that changes state may come from that origin. `Sec-Fetch-Site` decides where a browser sends it,
 * else `Origin`. A client that sends neither is no page in a browser: it is let through without a session cookie, and
 * refused with one.
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
    return cookie === undefined || !hasSessionCookie(cookie)
  }
}

const MINUTE = 60_000
/** Lines of the log in a minute: anybody can send such requests. */
const MAX_LINES = 10
/** Characters of a header that are written down. */
const MAX_SHOWN = 200

/** Writes to the log which origin was refused, and what to set if it is the portal's own. */
export function originReport(options: { publicOrigin(): string | null; log: Log; clock: Pick<Clock, 'monotonic'> }) {
  let since = Number.NEGATIVE_INFINITY
  let count = 0
  return ({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): void => {
    const now = options.clock.monotonic()
    if (now - since >= MINUTE) {
      if (count > MAX_LINES)
        options.log.warn({ count: count - MAX_LINES }, 'further requests were refused for their origin')
      since = now
      count = 0
    }
    count += 1
    if (count > MAX_LINES) return
    options.log.warn(
      {
        origin: shown(origin),
        host: shown(host),
        sec_fetch_site: shown(Array.isArray(site) ? site[0] : site),
        public_origin: options.publicOrigin(),
      },
      'a request was refused for its origin. If people open the portal at that origin, set portal.public_origin (COMMONS_PORTAL_PUBLIC_ORIGIN) to it',
    )
  }
}

const shown = (header: string | undefined): string | null => header?.slice(0, MAX_SHOWN) ?? null

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}
