import type { create, StateCreator, StoreApi } from 'zustand'

/** For tests: every store of the page that was created so far. */
export const stores = new Set<StoreApi<unknown>>()

/** `create` of the library, which remembers what it has created. */
export function remembered(original: typeof create): typeof create {
  const remembering = (begin: StateCreator<unknown>) => {
    const store = original(begin)
    stores.add(store)
    return store
  }
  return remembering as typeof create
}
