import { queryOptions, useQuery } from '@tanstack/react-query'
import { listKeepRequests } from '#contract/keeping.ts'
import { listUsageRequests } from '#contract/usage.ts'
import { call } from '#web/foundation/call.ts'

const EVERY_SECONDS = 30

/** Requests for more that nobody has answered. */
export const openRequestsQuery = queryOptions({
  queryKey: ['admin', listUsageRequests.path],
  queryFn: ({ signal }) => call(listUsageRequests, { query: { open: 'true' } }, { signal }),
  refetchInterval: EVERY_SECONDS * 1000,
  meta: { quiet: true },
})

/** Conversations that somebody wants to stay, which nobody has answered. */
export const keepRequestsQuery = queryOptions({
  queryKey: ['admin', listKeepRequests.path],
  queryFn: ({ signal }) => call(listKeepRequests, {}, { signal }),
  refetchInterval: EVERY_SECONDS * 1000,
  meta: { quiet: true },
})

/** How many there are, by the page where they are answered; shown beside it. */
export function useOpenRequests(): Readonly<Record<string, number>> {
  const usage = useQuery(openRequestsQuery).data?.length ?? 0
  const conversation = useQuery(keepRequestsQuery).data?.length ?? 0
  return { usage, conversation }
}
