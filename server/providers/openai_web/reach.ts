import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '../endpoint.ts'
import { keyHeaders } from '../keyHeaders.ts'
import type { DeadlineSettings } from '../upstreamRefusal.ts'

const COMMON = 'openai_web.common_timeout'
/** The setting that the deadlines of all but an answer come from; that a file stalls is nobody's setting. */
export const COMMON_SETTINGS: DeadlineSettings = { connect: COMMON, first_byte: COMMON, idle: COMMON, total: COMMON }

/** Seconds, where the endpoint does not say. */
const COMMON_TIMEOUT = 20

/** Milliseconds that an ordinary request may take. */
export const commonTimeout = ({ web }: ProviderEndpoint): number => (web?.common_timeout ?? COMMON_TIMEOUT) * 1000

/** The address of a request to a web account; the base's query stays, with what else is asked for. Refuses where no base is known. */
export function webAddress(base_url: string, path: string, query: Record<string, string | number> = {}): string {
  const url = URL.parse(base_url.trim())
  if (url === null) throw new Refusal('httpError')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  url.hash = ''
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  return url.href
}

/** What each request to a web account says: who asks, in whose name, and that it comes from the site's own page. */
export function webHeaders(endpoint: ProviderEndpoint): Record<string, string> {
  const team_account_id = endpoint.web?.team_account_id ?? null
  return {
    'content-type': 'application/json',
    'accept-language': 'en-US',
    referer: new URL('/', webAddress(endpoint.base_url, '')).href,
    ...keyHeaders(endpoint),
    ...(team_account_id !== null && { 'chatgpt-account-id': team_account_id }),
  }
}
