import { redirect } from '@tanstack/react-router'
import type { UserRead } from '#contract/users.ts'
import { ADMIN_PATHS } from '#web/admin/adminPages.ts'
import { RefusedCall } from '#web/foundation/call.ts'
import { loadUser, signOut } from '#web/foundation/session.ts'
import { translate } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/foundation/toasts.ts'

type Navigation = { location: { pathname: string; href: string } }

/**
 * Who is signed in. `unreachable`: the server, or its database, could not be reached, which says nothing about the
 * session.
 */
export type RouteUser = { user: UserRead | null; unreachable: Error | null }

/**
 * On every navigation: fetches the user when there may be one. A session that has ended leads to the login page and
 * back.
 */
export async function loadRouteUser({ location }: Navigation): Promise<RouteUser> {
  try {
    return { user: await loadUser(), unreachable: null }
  } catch (error) {
    if (!(error instanceof RefusedCall) || !error.isSessionLost)
      return { user: null, unreachable: error instanceof Error ? error : new Error(String(error)) }
    await signOut()
    if (location.pathname === '/login') return { user: null, unreachable: null }
    throw toLogin(location.href)
  }
}

/** Pages for signed-in users. */
export function requireUser({ context, location }: Navigation & { context: RouteUser }): { user: UserRead } {
  if (context.user !== null) return { user: context.user }
  if (context.unreachable !== null) throw context.unreachable
  toast.turnedAway(translate('errors.userNotLogin'), translate('login.comesBack'))
  throw toLogin(location.href)
}

/** Pages for administrators; to others they are forbidden. */
export function requireSuperuser(visit: Navigation & { context: RouteUser }): { user: UserRead } {
  const { user } = requireUser(visit)
  if (!user.is_superuser) throw redirect({ to: '/error/403', replace: true })
  return { user }
}

function toLogin(href: string) {
  return redirect({ to: '/login', search: { redirect: href }, replace: true })
}

const KNOWN: readonly RegExp[] = [/^\/$/, /^\/home$/, /^\/conversation$/, /^\/conv\/[\w-]+$/, /^\/keys$/]
const ANYWHERE = 'http://portal.invalid'

/**
 * Checks the page to go to after signing in, since anybody may have written that address: a path of one of our screens,
 * or null. Never another origin, nor a path that a browser could take for one.
 */
export function knownPath(wanted: unknown): string | null {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted) || /[\\\p{Cc}]/u.test(wanted)) return null
  const url = new URL(wanted, ANYWHERE)
  if (url.origin !== ANYWHERE) return null
  const known =
    KNOWN.some(path => path.test(url.pathname)) || url.pathname === '/admin' || ADMIN_PATHS.includes(url.pathname)
  return known ? `${url.pathname}${url.search}` : null
}
