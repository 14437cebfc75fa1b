import { ADMIN_PATHS } from '#web/admin/adminPages.ts'

const KNOWN: readonly RegExp[] = [/^\/$/, /^\/home$/, /^\/conversation$/, /^\/conv\/[\w-]+$/]
const ANYWHERE = 'http://portal.invalid'

/**
 * A place to go to after signing in, from an address that anybody may have written: a path of this page that leads to one of
 * its screens, or null. Never another origin, never a path that a browser could read as one.
 */
export function knownPath(wanted: unknown): string | null {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted) || /[\\\p{Cc}]/u.test(wanted)) return null
  const url = new URL(wanted, ANYWHERE)
  if (url.origin !== ANYWHERE) return null
  const known =
    KNOWN.some(path => path.test(url.pathname)) || url.pathname === '/admin' || ADMIN_PATHS.includes(url.pathname)
  return known ? `${url.pathname}${url.search}` : null
}
