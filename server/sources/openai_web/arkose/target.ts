import { URL } from 'node:url'

/** Characters of a path and of a query. */
const MAX_LENGTHS = { path: 1024, query: 4096 }
/**
 * Nothing is encoded in it, so nothing can be hidden: no dots, no slashes, no line breaks. No part of it is empty or
 * begins with a dot.
 */
const PLAIN_PATH = /^(?:[\w~!$'()*+,=:@-][\w.~!$'()*+,=:@-]*\/)*[\w~!$'()*+,=:@-][\w.~!$'()*+,=:@-]*$/
const PLAIN_QUERY = /^(?:[\w.~!$'()*+,;=:@/?&-]|%[\dA-Fa-f]{2})*$/
const CONTROL = /%(?:[01][\dA-F]|7F)/i

/**
 * Where the script finds what it needs, seen from the folder that `v2/` is in: it takes whatever stands before `/v2/`
 * in its own address for its host.
 */
const BESIDE = /^(?:v2|fc|cdn)\//

/** The folder that `v2/` is in. */
const folderOf = (base: string): URL => new URL('..', base)

/**
 * The address at the endpoint for what came behind the ticket, encoded as it came; null for what leads anywhere else.
 */
export function targetOf(base: string, path_and_query: string): string | null {
  const [path = '', ...rest] = path_and_query.split('?')
  const query = rest.join('?')
  if (path.length > MAX_LENGTHS.path || !PLAIN_PATH.test(path)) return null
  if (query.length > MAX_LENGTHS.query || !PLAIN_QUERY.test(query) || CONTROL.test(query)) return null
  const folder = BESIDE.test(path) ? folderOf(base) : new URL(base)
  const target = new URL(folder)
  target.pathname += path
  target.search = query
  const isWithin = target.origin === folder.origin && target.pathname === folder.pathname + path
  return isWithin ? target.href : null
}

/**
 * An address that the endpoint gives, as the path behind a ticket; null where that would lead elsewhere. Whichever host
 * it names, ours is asked.
 */
export function forwardedPath(base: string, address: string): string | null {
  const url = URL.parse(address, base)
  if (url === null) return null
  const { origin, pathname } = folderOf(base)
  const isOwn = url.origin === origin && url.pathname.startsWith(pathname)
  const path = url.pathname.slice(isOwn ? pathname.length : 1)
  const found = `${path}${url.search}`
  return BESIDE.test(path) && targetOf(base, found) !== null ? found : null
}
