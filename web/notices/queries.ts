import { queryOptions } from '@tanstack/react-query'
import { readNotices } from '#contract/notices.ts'
import { call } from '#web/foundation/call.ts'

/** Milliseconds; it changes in other browsers of the person, rarely. */
const STALE_AFTER = 600_000

export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: ({ signal }) => call(readNotices, {}, { signal }),
  staleTime: STALE_AFTER,
})
