import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import type { PageRouter } from './router.tsx'

export function App({ router }: { router: PageRouter }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Kit>
        <RouterProvider router={router} />
      </Kit>
    </QueryClientProvider>
  )
}
