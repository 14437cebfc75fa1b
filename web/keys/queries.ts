import { type QueryClient, useQuery } from '@tanstack/react-query'
import { listOwnKeys } from '#contract/keys.ts'
import { call } from '#web/foundation/call.ts'

const KEY = ['keys', 'me'] as const
/** One's own keys. */
export function useKeys() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(listOwnKeys, {}, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  })
}

export const refreshKeys = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: KEY })
