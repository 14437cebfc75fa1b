import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render } from 'vitest-browser-react'
import { ADDRESS_ENTRIES } from '#web/foundation/addressEntries.ts'
import { aPortal } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { loadAdminTexts } from '#web/i18n/useTranslate.ts'
import { DialogHost } from '#web/kit/DialogHost.tsx'
import { Kit } from '#web/kit/Kit.tsx'
import { Toasts } from '#web/kit/Toasts.tsx'
import { UsersScreen } from './UsersScreen.tsx'

export const portal = aPortal({
  time_zone: 'Asia/Shanghai',
  demonstration: false,
  sources: [
    { source: 'openai_web', enabled: true },
    { source: 'openai_api', enabled: true },
  ],
  models: [
    { source: 'openai_web', code: 'gpt_3_5', label: null, context_length: null },
    { source: 'openai_web', code: 'gpt_4', label: null, context_length: null },
    { source: 'openai_api', code: 'gpt_4', label: null, context_length: null },
  ],
})

/** The page at an address of its own; gives what the address says. */
export async function openUsers(search = ''): Promise<() => string> {
  await loadAdminTexts()
  const history = createMemoryHistory({ initialEntries: [`/admin/user${search}`] })
  const router = createRouter({
    routeTree: createRootRoute({ component: UsersScreen }),
    history,
    ...ADDRESS_ENTRIES,
  })
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <RouterProvider router={router as never} />
        <DialogHost />
        <Toasts />
      </Kit>
    </QueryClientProvider>,
  )
  return () => router.state.location.searchStr
}
