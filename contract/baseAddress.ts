const LONGEST = 2_000
/** People also paste the address of a request; this end is removed. */
const REQUEST_PATH = /\/+chat\/+completions\/*$/i

/**
 * Parses what a person typed as the base address of an endpoint; null if no request can go there. A query may be part of it (Azure's
 * `?api-version=`).
 */
export function baseAddressOf(text: string): URL | null {
  const url = text.length > LONGEST ? null : URL.parse(text.trim())
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null
  return url.username + url.password + url.hash === '' ? url : null
}

/**
 * The address of a request to an endpoint, for the portal's own, people's own and `doctor` alike. Slashes and spaces at the end are
 * ignored, and `/chat/completions` too; an address without a path means `/v1`; a query stays behind the path.
 */
export function requestAddress(base: string, path: 'chat/completions' | 'models'): string {
  const url = new URL(base.trim())
  const isRequest = REQUEST_PATH.test(url.pathname)
  const folder = url.pathname.replace(REQUEST_PATH, '').replace(/\/+$/, '')
  url.pathname = `${folder === '' && !isRequest ? '/v1' : folder}/${path}`
  url.hash = ''
  return url.href
}
