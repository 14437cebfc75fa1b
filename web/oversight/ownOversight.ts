import { useQuery } from '@tanstack/react-query'
import { listOwnOversight, type OversightRow } from '#contract/oversight.ts'
import { call } from '#web/foundation/call.ts'

/** Milliseconds. */
const REFRESH_MS = 60_000

/** Who opened one's own conversations. */
export function useOwnOversight() {
  return useQuery({
    queryKey: [listOwnOversight.path],
    queryFn: ({ signal }) => call(listOwnOversight, {}, { signal }),
    refetchInterval: REFRESH_MS,
    meta: { quiet: true },
  }).data
}

/** Whole minutes from opening it until it was read last; null when it was not read. */
export function minutesOf({ time, latest_time }: Pick<OversightRow, 'time' | 'latest_time'>): number | null {
  return latest_time === null ? null : Math.max(1, Math.ceil((Date.parse(latest_time) - Date.parse(time)) / 60_000))
}
