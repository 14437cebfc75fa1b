import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  RouterProvider,
} from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ADMIN_PAGES } from '#web/admin/adminPages.ts'
import { ADDRESS_ENTRIES } from '#web/foundation/addressEntries.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { mayHaveSession } from '#web/foundation/session.ts'
import type { PlainKey } from '#web/i18n/dictionary.ts'
import { loadAdminTexts, loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { CrashScreen } from './PlainScreen.tsx'
import { Frame } from './Frame.tsx'
import { knownPath, loadRouteUser, requireSuperuser, requireUser } from './guards.ts'

// Names, paths and access: the specification, section 2.
const root = createRootRoute({ component: Frame, errorComponent: CrashScreen, beforeLoad: loadRouteUser })

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/home', replace: true })
  },
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/home',
  staticData: { name: 'home', title: 'title.home' },
  component: lazyRouteComponent(() => import('./HomeAndErrorScreens.tsx'), 'HomeScreen'),
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { name: 'login', title: 'title.login' },
  validateSearch: ({ redirect, problem }): { redirect?: string; problem?: string } => ({
    ...(typeof redirect === 'string' && { redirect }),
    ...(typeof problem === 'string' && { problem }),
  }),
  component: lazyRouteComponent(() => import('./LoginPage.tsx'), 'LoginPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  staticData: { name: 'invitation', title: 'title.invitation' },
  component: lazyRouteComponent(
    () => Promise.all([import('./InvitationPage.tsx'), loadTexts('invitation')]).then(([module]) => module),
    'InvitationPage',
  ),
})

const conversation = createRoute({
  getParentRoute: () => root,
  path: '/conversation',
  staticData: { name: 'conversation', title: 'title.conversation', surface: 'shelf' },
  validateSearch: (search): { id?: string } => (typeof search.id === 'string' ? { id: search.id } : {}),
  beforeLoad: requireUser,
  loader: async () => (await import('#web/asking/ConversationScreen.tsx')).takeFirstAnswers(queryClient),
  component: lazyRouteComponent(() => import('#web/asking/ConversationScreen.tsx'), 'ConversationScreen'),
})

const conversationHistory = createRoute({
  getParentRoute: () => root,
  path: '/conv/$conversation_id',
  staticData: { name: 'conversationHistory', title: 'title.history' },
  beforeLoad: requireUser,
  component: lazyRouteComponent(() => import('#web/history/HistoryScreen.tsx'), 'HistoryScreen'),
})

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  staticData: { name: 'keys', title: 'title.keys' },
  validateSearch: (search): { tool?: string } => (typeof search.tool === 'string' ? { tool: search.tool } : {}),
  beforeLoad: requireUser,
  component: lazyRouteComponent(
    () =>
      Promise.all([import('#web/keys/KeysScreen.tsx'), loadTexts('keys'), loadTexts('usage')]).then(
        ([module]) => module,
      ),
    'KeysScreen',
  ),
})

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  staticData: { name: 'admin', surface: 'shelf' },
  beforeLoad: requireSuperuser,
  // Pages of the area wait for its texts, and for what sources put into them. The texts are dropped with the session,
  // so they are loaded whenever the area is entered.
  loader: async () => {
    const slots = import('#web/sources/list/adminSlots.ts').then(({ loadAdminSlots }) => loadAdminSlots())
    await Promise.all([loadAdminTexts(), slots])
  },
  staleTime: Infinity,
  gcTime: 0,
  component: lazyRouteComponent(() => import('#web/admin/AdminFrame.tsx'), 'AdminFrame'),
})

const adminIndex = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/system', replace: true })
  },
})

const adminPages = ADMIN_PAGES.map(({ path, name, title, screen, ...page }) =>
  createRoute({
    getParentRoute: () => admin,
    path,
    staticData: { name, title, surface: 'shelf' as const },
    component: screen,
    // Requests the rows early, without waiting for them. A page that is already shown requests them itself when its
    // address changes.
    loader: async ({ cause, location }) => {
      if (cause === 'enter' && 'rows' in page) (await page.rows()).askForRows(location.search)
    },
  }),
)

const redirection = createRoute({
  getParentRoute: () => root,
  path: '/redirect/$',
  staticData: { name: 'Redirect' },
  beforeLoad: ({ params, location }) => {
    const path = `/${params._splat ?? ''}`
    const wanted = `${path}${location.searchStr}`
    const isOpen = path === '/login' || path === '/error/403'
    throw redirect({ href: isOpen ? wanted : (knownPath(wanted) ?? '/error/404'), replace: true })
  },
})

const forbidden = createRoute({
  getParentRoute: () => root,
  path: '/error/403',
  staticData: { name: '403', title: 'title.403' },
  component: lazyRouteComponent(() => import('./HomeAndErrorScreens.tsx'), 'ForbiddenScreen'),
})

const NotFoundScreen = lazyRouteComponent(() => import('./HomeAndErrorScreens.tsx'), 'NotFoundScreen')

const notFound = createRoute({
  getParentRoute: () => root,
  path: '/error/404',
  staticData: { name: '404', title: 'title.404' },
  component: NotFoundScreen,
})

const anyOther = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/error/404', replace: true })
  },
})

const routeTree = root.addChildren([
  index,
  home,
  login,
  invitation,
  conversation,
  conversationHistory,
  keys,
  admin.addChildren([adminIndex, ...adminPages]),
  redirection,
  forbidden,
  notFound,
  anyOther,
])

/** Every value in an address is parsed as a text, whatever somebody types there. */
export function pageRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    ...ADDRESS_ENTRIES,
    defaultErrorComponent: CrashScreen,
    // An address that cannot be decoded matches no route.
    defaultNotFoundComponent: NotFoundScreen,
  })
}

export type PageRouter = ReturnType<typeof pageRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: PageRouter
  }
  interface StaticDataRouteOption {
    /** The route's name in the specification, section 2. */
    name?: string
    title?: PlainKey
    /** Header and page share one surface, or the page lies in the L-shape of header and sidebar. */
    surface?: 'paper' | 'shelf'
  }
}

/**
 * Loads the code of the first screen while the guards still ask who is signed in. Without a session they know at once.
 */
export function preloadFirstScreen(router: PageRouter): void {
  if (!mayHaveSession()) return
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
  for (const { options } of routes) {
    // The router's type for any route knows no preload; lazyRouteComponent gives one to each of ours.
    const component = options.component as { preload?(): Promise<void> } | undefined
    component?.preload?.().catch(() => null)
  }
}

/** `children` are drawn in place of the router's screen. */
type AppProps = { router: PageRouter; children?: ReactNode }

export function App({ router, children = <RouterProvider router={router} /> }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <Kit>{children}</Kit>
    </QueryClientProvider>
  )
}
