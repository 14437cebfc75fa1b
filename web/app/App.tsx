import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import type { PageRouter } from './router.tsx'

/** `children` are drawn in place of the router's screen. */
type AppProps = { router: PageRouter; children?: ReactNode }

export function App({ router, children = <RouterProvider router={router} /> }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <Kit>{children}</Kit>
    </QueryClientProvider>
  )
}
