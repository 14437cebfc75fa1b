import { queryOptions, useQuery } from '@tanstack/react-query'
import { listUpstreams, readUpstreamLoads, type UpstreamLoad, type UpstreamRead } from '#contract/upstreams.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'

/** Milliseconds between two fetches of the loads. A hidden page fetches nothing. */
const EVERY = 5_000

export const upstreamsQuery = queryOptions({
  queryKey: ['admin', listUpstreams.path],
  queryFn: ({ signal }) => call(listUpstreams, {}, { signal }),
  refetchInterval: EVERY,
  meta: { quiet: 'whileEmpty' },
})

export const loadsQuery = queryOptions({
  queryKey: ['admin', readUpstreamLoads.path],
  queryFn: ({ signal }) => call(readUpstreamLoads, {}, { signal }),
  refetchInterval: EVERY,
  meta: { quiet: true },
})

export type Loads = {
  of(id: number): UpstreamLoad | undefined
  /** By how much the server's clock is ahead of this device's. */
  ahead_ms: number
}

export function useUpstreams(): UpstreamRead[] | undefined {
  return useQuery(upstreamsQuery).data
}

export function useLoads(): Loads {
  const { data, dataUpdatedAt } = useQuery(loadsQuery)
  return {
    of: id => data?.loads.find(load => load.id === id),
    ahead_ms: data === undefined ? 0 : Date.parse(data.now) - dataUpdatedAt,
  }
}

/** The upstream as it is cached. */
export function knownUpstream(id: number): UpstreamRead | undefined {
  return queryClient.getQueryData(upstreamsQuery.queryKey)?.find(upstream => upstream.id === id)
}

/** Puts the answer of a call into the cache. */
export function keepUpstream(upstream: UpstreamRead): void {
  queryClient.setQueryData(upstreamsQuery.queryKey, before => {
    const isKnown = before?.some(({ id }) => id === upstream.id) === true
    return isKnown ? before.map(each => (each.id === upstream.id ? upstream : each)) : [...(before ?? []), upstream]
  })
}

/** Refetches all that depends on the upstreams: models, meters and queues. */
export async function refreshUpstreams(): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['portal'] })
  void queryClient.invalidateQueries({ queryKey: loadsQuery.queryKey })
  await queryClient.fetchQuery({ ...upstreamsQuery, staleTime: 0 })
}
