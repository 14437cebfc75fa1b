import { createMemoryHistory } from '@tanstack/react-router'
import { render } from 'vitest-browser-react'
import { App, pageRouter } from './router.tsx'
import '#web/kit/Kit.tsx'

/** For tests: the whole page at an address, with a history of its own. */
export async function openPage(path: string) {
  const router = pageRouter(createMemoryHistory({ initialEntries: [path] }))
  await render(<App router={router} />)
  return router
}
