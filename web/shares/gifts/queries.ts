import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listShareReceivers, readShareLedger } from '#contract/shareLedger.ts'
import { listUsageRequests } from '#contract/usage.ts'
import { call } from '#web/foundation/call.ts'
import { refreshShares } from '../queries.ts'

const LEDGER = 'share-ledger'
const RECEIVERS = 'share-receivers'
const REQUESTS = 'share-requests'

/** Milliseconds: whoever decides hears of a request within it, while the panel is open. */
const POLL_MS = 20_000

/** Open requests of mine, and those that I may decide. */
export const requestsQuery = queryOptions({
  queryKey: [REQUESTS],
  queryFn: ({ signal }) => call(listUsageRequests, { query: { open: 'true' } }, { signal }),
  staleTime: 0,
  refetchInterval: POLL_MS,
  meta: { quiet: true },
})

export const ledgerQuery = (upstream_id: number) =>
  queryOptions({
    queryKey: [LEDGER, upstream_id],
    queryFn: ({ signal }) => call(readShareLedger, { params: { id: String(upstream_id) } }, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

export const receiversQuery = (upstream_id: number) =>
  queryOptions({
    queryKey: [RECEIVERS, upstream_id],
    queryFn: ({ signal }) => call(listShareReceivers, { params: { id: String(upstream_id) } }, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

/** After something was given, taken back, asked for or granted. */
export function refreshGifts(client: QueryClient): void {
  refreshShares(client)
  void client.invalidateQueries({ queryKey: [LEDGER] })
  void client.invalidateQueries({ queryKey: [RECEIVERS] })
  void client.invalidateQueries({ queryKey: [REQUESTS] })
}
