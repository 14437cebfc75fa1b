import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '../endpoint.ts'
import { keyHeaders } from '../keyHeaders.ts'

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
