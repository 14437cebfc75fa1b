import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import { readMyUsage } from '#contract/usage.ts'
import { call } from '#web/foundation/call.ts'

const KEY = ['usage', 'me'] as const
const DAY = 86_400_000

/** Days back that are read: twelve weeks from their Monday on, and twelve months from their first day on. */
const READ_DAYS = { weeks: 91, months: 366 } as const
export type PlotSpan = keyof typeof READ_DAYS

/** What one used in the last weeks or months by day and model, and what is left. */
export function useMyUsage(span: PlotSpan = 'weeks') {
  return useQuery({
    queryKey: [...KEY, span],
    queryFn: ({ signal }) => {
      // To the hour, and so no other query with each second.
      const from = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - READ_DAYS[span] * DAY)
      return call(readMyUsage, { query: { from: from.toISOString() } }, { signal })
    },
    placeholderData: keepPreviousData,
    staleTime: 0, // whoever looks after an answer sees it counted
    meta: { quiet: true },
  })
}

export function refreshMyUsage(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: KEY })
}
