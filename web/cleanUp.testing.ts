import { afterAll, afterEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { queryClient } from './foundation/queryClient.ts'
import { loadTexts, useCurrent } from './i18n/useTranslate.ts'
import { stores } from './stores.testing.ts'

// The files of tests share a page. What one has changed of it, the next one does not find.

vi.mock(import('zustand'), async importOriginal => {
  const { remembered } = await import('./stores.testing.ts')
  const original = await importOriginal()
  return { ...original, create: remembered(original.create) }
})

afterEach(cleanup)

afterAll(async () => {
  const { areas } = useCurrent.getState()
  for (const store of stores) store.setState(store.getInitialState(), true)
  // What was loaded at its first use stays loaded, and so do its texts; administrators' come and go with who signs in.
  for (const area of areas) if (area !== 'admin') await loadTexts(area)
  queryClient.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
  document.body.replaceChildren()
  await page.viewport(414, 896)
})
