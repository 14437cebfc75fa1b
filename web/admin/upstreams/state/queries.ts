import { queryOptions, useQuery } from '@tanstack/react-query'
import { listUpstreams, readUpstreamLoads, type UpstreamLoad, type UpstreamRead } from '#contract/upstreams.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { accountOfToken, isOtherAccount, readWebToken } from '#contract/webToken.ts'
import { translate as t, useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { useCallback } from 'react'

/** Milliseconds between two fetches of the loads. A hidden page fetches nothing. */
const EVERY = 5_000

export const upstreamsQuery = queryOptions({
  queryKey: ['admin', listUpstreams.path],
  queryFn: ({ signal }) => call(listUpstreams, {}, { signal }),
  refetchInterval: EVERY,
  meta: { quiet: 'whileEmpty' },
})

const loadsQuery = queryOptions({
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

/**
 * Asks before a token of another account takes the place of the present one: what it means for the conversations that
 * live there. True where the account is the same, or nothing says that it is not. `id`: null for the one whose token is
 * a credential.
 */
export async function confirmAccount(entered: string, id: number | null): Promise<boolean> {
  const read = readWebToken(entered)
  const next = 'token' in read ? accountOfToken(read.token) : null
  if (next === null) return true
  // Whoever cannot be asked decides nothing: the token is saved as it would be without the question.
  const [upstreams, load] = await Promise.all([
    queryClient.fetchQuery({ ...upstreamsQuery, staleTime: 0 }),
    queryClient.fetchQuery({ ...loadsQuery, staleTime: 0 }),
  ]).catch(() => [[], null] as const)
  const upstream = upstreams.find(each =>
    id === null ? each.credential === 'openai_web_access_token' : each.id === id && each.source === 'openai_web',
  )
  if (upstream === undefined || !isOtherAccount(upstream.token_account, next)) return true
  const count = load?.loads.find(each => each.id === upstream.id)?.conversations ?? 0
  return confirm({
    title: t('upstreams.otherAccount.title'),
    text: t('upstreams.otherAccount.text', { count }),
    verb: t('upstreams.otherAccount.verb'),
  })
}

/** The label, or the name of the source for a first upstream without one. */
export function useUpstreamName(): (upstream: Pick<UpstreamRead, 'label' | 'source'>) => string {
  const t = useTranslate()
  return useCallback(({ label, source }) => (label === '' ? t(`upstreams.first.${source}`) : label), [t])
}
