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
import { loadAdminTexts } from '#web/i18n/useTranslate.ts'
import { DialogHost } from '#web/kit/DialogHost.tsx'
import { Kit } from '#web/kit/Kit.tsx'
import { Toasts } from '#web/kit/Toasts.tsx'

/** For tests: a screen of the admin area at an address, with its texts and without the frame. */
export async function openScreen(Screen: () => ReactNode, address: string) {
  await loadAdminTexts()
  freshDevice()
  queryClient.clear()
  const root = createRootRoute({ component: Outlet })
  const route = createRoute({ getParentRoute: () => root, path: '$', component: Screen })
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
