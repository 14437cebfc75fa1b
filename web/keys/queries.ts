import { type QueryClient, useQuery } from '@tanstack/react-query'
import { listOwnKeys } from '#contract/keys.ts'
import { call } from '#web/foundation/call.ts'

const KEY = ['keys', 'me'] as const
/** Milliseconds between two looks at the keys while a first request is awaited. */
const POLL_MS = 2_000

/** One's own keys. `awaiting`: they are read again and again, as long as the page is visible. */
export function useKeys(awaiting = false) {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(listOwnKeys, {}, { signal }),
    staleTime: 0,
    refetchInterval: awaiting && POLL_MS,
    meta: { quiet: true },
  })
}

export const refreshKeys = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: KEY })
