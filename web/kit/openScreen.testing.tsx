import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { render } from 'vitest-browser-react'
import type { UserRead } from '#contract/users.ts'
import { ADDRESS_ENTRIES } from '#web/foundation/addressEntries.ts'
import { freshDevice } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { DialogHost } from './DialogHost.tsx'
import { Kit } from './Kit.tsx'
import { Toasts } from './Toasts.tsx'

type Options = {
  /** Names the parts of the address. */
  path?: string
  /** Who has signed in on the device; nobody by default. */
  user?: UserRead | null
}

/** For tests: a screen at an address, without the frame, on a device on which nothing is stored. */
export async function openScreen(Screen: () => ReactNode, address: string, { path = '$', user = null }: Options = {}) {
  freshDevice()
  queryClient.clear()
  useSession.setState({ user })
  const root = createRootRoute({ component: Outlet })
  const route = createRoute({ getParentRoute: () => root, path, component: Screen })
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: [address] }),
    ...ADDRESS_ENTRIES,
  })
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <RouterProvider router={router} />
        <Toasts />
        <DialogHost />
      </Kit>
    </QueryClientProvider>,
  )
  return { screen, router }
}
