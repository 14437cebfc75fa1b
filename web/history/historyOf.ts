import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/foundation/call.ts'
import { readReadableCache } from '#web/messages/readableHistory.ts'

/** The document as it is stored here: for its owner, and for administrators. */
export function historyOf(id: string) {
  return queryOptions({
    queryKey: ['history', id],
    queryFn: ({ signal }) => call(readReadableCache, { params: { id }, query: { thoughts: 'true' } }, { signal }),
    meta: { quiet: true },
  })
}
