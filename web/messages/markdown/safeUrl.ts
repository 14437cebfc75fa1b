export type SafeLink = { readonly kind: 'outside'; readonly href: string } | { readonly kind: 'sandbox'; readonly path: string }

const ALLOWED = new Set(['https:', 'http:', 'mailto:'])

/** Decides on the parsed URL and answers with exactly that one; everything relative or of another scheme is no link. */
export function safeLink(url: string): SafeLink | null {
  const parsed = URL.parse(url)
  if (!parsed) return null
  if (parsed.protocol === 'sandbox:') return { kind: 'sandbox', path: decoded(parsed.pathname) }
  return ALLOWED.has(parsed.protocol) ? { kind: 'outside', href: parsed.href } : null
}

/** A path is a file's name and not part of an address. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/=\s]*$/i

export type SafeImage = { readonly kind: 'own' | 'foreign'; readonly src: string; readonly host: string }

/** Own and inline images are shown at once; a foreign one would tell its host who reads, and when. */
export function safeImage(url: string, origin = globalThis.location?.origin): SafeImage | null {
  if (DATA_IMAGE.test(url)) return { kind: 'own', src: url, host: '' }
  const parsed = URL.parse(url, origin)
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null
  return { kind: parsed.origin === origin ? 'own' : 'foreign', src: parsed.href, host: parsed.host }
}
