import { useEffect } from 'react'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Source } from '#contract/models.ts'
import { readSharedMeter, type SharedMeter } from '#contract/status.ts'
import { call } from '#web/foundation/call.ts'
import { useIsPresent } from '#web/foundation/presence.ts'

/** Polling intervals while somebody is at the page and while nobody is. A hidden page does not poll. */
const POLL_MS = 5000
const IDLE_POLL_MS = 30_000

export const meterQuery = queryOptions({
  queryKey: ['meter'],
  queryFn: ({ signal }) => call(readSharedMeter, {}, { signal }),
  staleTime: POLL_MS,
  meta: { quiet: true },
})

/** How busy the shared accounts are; undefined until it is known. */
export function useSharedMeter(): SharedMeter | undefined {
  const attended = useIsPresent()
  const { data, refetch, isStale } = useQuery({
    ...meterQuery,
    refetchInterval: attended ? POLL_MS : IDLE_POLL_MS,
  })
  useEffect(() => {
    // Several components poll at the same time; they share a request.
    if (attended && isStale) void refetch({ cancelRefetch: false })
  }, [attended, isStale, refetch])
  return data
}

/** Whether everybody has a part of an account of a source. Whoever asks renders again only when that changes. */
export function useHasShares(source: Source | undefined): boolean {
  const has = ({ accounts }: SharedMeter) => accounts.some(each => each.pool !== null && each.source === source)
  return useQuery({ ...meterQuery, select: has }).data ?? false
}

/** Refetches the meter at once, when an ask has started or ended here. */
export function refreshMeter(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: meterQuery.queryKey })
  // The key of sharesQuery, which is loaded with the first account that has shares.
  void client.invalidateQueries({ queryKey: ['shares'] })
}
