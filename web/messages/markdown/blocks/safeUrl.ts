export type SafeLink =
  | { readonly kind: 'outside'; readonly href: string }
  | { readonly kind: 'sandbox'; readonly path: string }

const ALLOWED = new Set(['https:', 'http:', 'mailto:'])

/** The router's paths. Of the portal's own addresses, a message may lead only to these and to files. */
const SCREEN = /^\/(?:home|login|conversation|conv\/[\w-]+|admin(?:\/[a-z_]+)?)?$/
/** Downloads of uploaded files, and files that are kept here (contract/files.ts). */
const FILE = /^\/api\/files\/(?:local\/download\/[\w-]+|[0-9a-f-]{36}\/content)$/

/**
 * Decides on the parsed URL and returns exactly that. Null for a relative one, for other schemes and for the portal's
 * calls.
 */
export function safeLink(url: string, origin = globalThis.location?.origin): SafeLink | null {
  const parsed = URL.parse(url)
  if (!parsed) return null
  if (parsed.protocol === 'sandbox:') return { kind: 'sandbox', path: decoded(parsed.pathname) }
  if (!ALLOWED.has(parsed.protocol)) return null
  if (isPortal(parsed, origin) && !SCREEN.test(parsed.pathname) && !FILE.test(parsed.pathname)) return null
  return { kind: 'outside', href: parsed.href }
}

/** Any scheme counts, since the portal redirects http to https. A host with a dot at its end is the same host. */
function isPortal({ host }: URL, origin: string | undefined): boolean {
  const own = URL.parse(origin ?? '')?.host
  return own !== undefined && own !== '' && host.replace(/\.(?=$|:)/, '') === own
}

/** The path is a file's name, not part of an address. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,/i
/** An expression that matched the data themselves would overflow on millions of characters. */
const NO_DATA = /[^A-Za-z0-9+/=\s]/

type SafeImage = { readonly kind: 'own' | 'foreign'; readonly src: string; readonly host: string }

/**
 * Inline images and uploaded files are `own` and shown. A `foreign` image would tell its host who reads, and when. Null
 * for any other address of the portal: a message could make its reader's browser send thousands of requests.
 */
export function safeImage(url: string, origin = globalThis.location?.origin): SafeImage | null {
  const [head] = DATA_IMAGE.exec(url) ?? []
  if (head !== undefined && !NO_DATA.test(url.slice(head.length))) return { kind: 'own', src: url, host: '' }
  const parsed = URL.parse(url, origin)
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null
  if (!isPortal(parsed, origin)) return { kind: 'foreign', src: parsed.href, host: parsed.host }
  return parsed.origin === origin && FILE.test(parsed.pathname)
    ? { kind: 'own', src: parsed.origin + parsed.pathname, host: parsed.host }
    : null
}
