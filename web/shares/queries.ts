import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readShares, type Share } from '#contract/shares.ts'
import { call } from '#web/foundation/call.ts'
import { useIsPresent } from '#web/foundation/presence.ts'
import { isBlocked } from './state.ts'

/** Milliseconds between two looks: while somebody is at the page, looks at every person's part, and while nobody is. */
const POLL_MS = 5000
const WATCHED_POLL_MS = 2000
const IDLE_POLL_MS = 30_000

const refusalsText = (shares: readonly Share[]): string =>
  shares.map(({ upstream_id, windows }) => `${upstream_id} ${windows.map(isBlocked).join()}`).join()

const sharesQuery = queryOptions({
  queryKey: ['shares'],
  queryFn: async ({ signal, client, queryKey }) => {
    const before = client.getQueryData<Share[]>(queryKey)
    const shares = await call(readShares, {}, { signal })
    // What may be asked has changed by what others did. The key is that of allowanceQuery, which is above this floor.
    if (before !== undefined && refusalsText(before) !== refusalsText(shares))
      void client.invalidateQueries({ queryKey: ['allowance'] })
    return shares
  },
  // Less than any interval: several components share one look.
  staleTime: 1000,
  meta: { quiet: true },
})

/**
 * The accounts with windows that one may ask; undefined until they are known. It follows what others use; a hidden page
 * asks nothing. `watched`: the panel is open.
 */
export function useShares({ watched = false } = {}): Share[] | undefined {
  const present = useIsPresent()
  const { data, refetch, isStale } = useQuery({
    ...sharesQuery,
    refetchInterval: present ? (watched ? WATCHED_POLL_MS : POLL_MS) : IDLE_POLL_MS,
  })
  useEffect(() => {
    if (present && isStale) void refetch({ cancelRefetch: false })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- becoming stale is no reason of its own
  }, [present, refetch])
  return data
}

/** One account by its id of the meter. */
export function useShare(upstream_id: number | null, options?: { watched?: boolean }): Share | undefined {
  return useShares(options)?.find(share => share.upstream_id === upstream_id)
}

/** Refetches them at once, when an ask has started or ended here. */
export function refreshShares(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: sharesQuery.queryKey })
}
