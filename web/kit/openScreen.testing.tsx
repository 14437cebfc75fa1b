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
import { ADDRESS_ENTRIES } from '#web/foundation/addressEntries.ts'
import { freshDevice } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { DialogHost } from './DialogHost.tsx'
import { Kit } from './Kit.tsx'
import { Toasts } from './Toasts.tsx'

/** For tests: a screen at an address, without the frame, on a device on which nobody has signed in. `path` names the parts of the address. */
export async function openScreen(Screen: () => ReactNode, address: string, path = '$') {
  freshDevice()
  queryClient.clear()
  const root = createRootRoute({ component: Outlet })
  const route = createRoute({ getParentRoute: () => root, path, component: Screen })
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: [address] }),
    ...ADDRESS_ENTRIES,
  })
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <RouterProvider router={router} />
        <Toasts />
        <DialogHost />
      </Kit>
    </QueryClientProvider>,
  )
  return router
}
