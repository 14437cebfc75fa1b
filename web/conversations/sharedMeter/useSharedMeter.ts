import { useEffect } from 'react'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { readSharedMeter, type SharedMeter } from '#contract/status.ts'
import { call } from '#web/foundation/call.ts'
import { useAttention } from './useAttention.ts'

/** Milliseconds between looks, while somebody is at the page and while nobody is; a hidden page does not look at all. */
const LOOK_EVERY_MS = 5000
const GLANCE_EVERY_MS = 30_000

export const meterQuery = queryOptions({
  queryKey: ['meter'],
  queryFn: ({ signal }) => call(readSharedMeter, {}, { signal }),
  staleTime: LOOK_EVERY_MS,
  meta: { quiet: true },
})

/** How busy the shared accounts are; undefined until it is known. */
export function useSharedMeter(): SharedMeter | undefined {
  const here = useAttention()
  const { data, refetch, isStale } = useQuery({
    ...meterQuery,
    refetchInterval: here ? LOOK_EVERY_MS : GLANCE_EVERY_MS,
  })
  useEffect(() => {
    // Several places look at once; one request is enough for all of them.
    if (here && isStale) void refetch({ cancelRefetch: false })
  }, [here, isStale, refetch])
  return data
}

/** At once, when an ask has begun or ended here. */
export function refreshMeter(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: meterQuery.queryKey })
}
