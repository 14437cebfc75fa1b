import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readQueue } from '#contract/queue.ts'
import { listUnreadableKeys, readCommonStatus } from '#contract/status.ts'
import { readAskPlot, readPlotUsers, readRequestPlot } from '#contract/statistics.ts'
import { upstreamsQuery } from '#web/admin/upstreams/state/queries.ts'
import { call } from '#web/foundation/call.ts'

/** Seconds between two fetches of live values, and of sums. A hidden page fetches nothing. */
export const LIVE_SECONDS = 5
export const SUM_SECONDS = 30

export const queueKey = ['admin', readQueue.path] as const

export const queueQuery = queryOptions({
  queryKey: queueKey,
  queryFn: ({ signal }) => call(readQueue, {}, { signal }),
  refetchInterval: LIVE_SECONDS * 1000,
  meta: { quiet: true },
})

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => call(readCommonStatus, {}, { signal }),
  refetchInterval: LIVE_SECONDS * 1000,
  meta: { quiet: true },
})

/** The list of the accounts page, less often. */
export const upstreamHealthQuery = { ...upstreamsQuery, refetchInterval: SUM_SECONDS * 1000, meta: { quiet: true } }

export const unreadableKeysQuery = queryOptions({
  queryKey: ['admin', listUnreadableKeys.path],
  queryFn: ({ signal }) => call(listUnreadableKeys, {}, { signal }),
  refetchInterval: SUM_SECONDS * 1000,
  meta: { quiet: true },
})

type Plotted = { from?: string; to?: string; granularity: string }

export const askPlotQuery = (query: Plotted) =>
  queryOptions({
    queryKey: ['admin', readAskPlot.path, query],
    queryFn: ({ signal }) => call(readAskPlot, { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: SUM_SECONDS * 1000,
    meta: { quiet: 'whileEmpty' },
  })

export const requestPlotQuery = (query: Plotted) =>
  queryOptions({
    queryKey: ['admin', readRequestPlot.path, query],
    queryFn: ({ signal }) => call(readRequestPlot, { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: SUM_SECONDS * 1000,
    meta: { quiet: 'whileEmpty' },
  })

/** The people of one bucket of a plot. */
export const peopleQuery = (of: 'asks' | 'requests', from: string, to: string) =>
  queryOptions({
    queryKey: ['admin', readPlotUsers.path, of, from, to],
    queryFn: ({ signal }) => call(readPlotUsers, { query: { of, from, to } }, { signal }),
    staleTime: SUM_SECONDS * 1000,
    meta: { quiet: true },
  })
