import { MAX_BUCKETS } from '#contract/statistics.ts'
import { Refusal } from '#server/foundation/refusal.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
export const HALF_HOUR = 30 * MINUTE
export const SIX_HOURS = 12 * HALF_HOUR
const DAY = 48 * HALF_HOUR
/** Milliseconds for which granularities below half an hour are kept. */
export const FINE_UNTIL = 2 * DAY
/** A granularity with too many buckets is multiplied by the first of these that makes them few enough. */
const COARSER = [1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 240, 480, 1_440, 4_800, 24_000, 120_000]

/** Epoch milliseconds; the end is not part of it. */
export type Range = { from: number; to: number }

/** Buckets begin at multiples of the granularity since the epoch: `start` and the `count` - 1 after it. */
export type Buckets = { start: number; granularity_ms: number; count: number }

type RangeQuery = { from?: string | undefined; to?: string | undefined }

/** The last 24 hours by default. Ends now at the latest. */
export function rangeOf({ from, to }: RangeQuery, now: number): Range {
  const end = to === undefined ? now : Math.min(Date.parse(to), now)
  const start = from === undefined ? end - DAY : Math.max(0, Date.parse(from))
  if (!(start < end)) throw new Refusal('invalidParams')
  return { from: start, to: end }
}

/** Milliseconds. Refuses a granularity for which the range has no sums. */
export function granularityOf(text: string | undefined, from: number, now: number): number {
  const granularity = text === undefined ? HALF_HOUR : Number(text) * SECOND
  const isAllowed = granularity % HALF_HOUR === 0 || (granularity % MINUTE === 0 && from >= now - FINE_UNTIL - MINUTE)
  if (granularity <= 0 || !isAllowed) throw new Refusal('invalidParams')
  return granularity
}

/** The buckets that a range touches, at most as many as a plot may have. */
export function bucketsOf({ from, to }: Range, granularity: number): Buckets {
  for (const times of COARSER) {
    const granularity_ms = granularity * times
    const start = from - (from % granularity_ms)
    const count = Math.ceil((to - start) / granularity_ms)
    if (count <= MAX_BUCKETS) return { start, granularity_ms, count }
  }
  throw new Refusal('invalidParams')
}

/** Where the last bucket ends. */
export const endOf = ({ start, granularity_ms, count }: Buckets): number => start + granularity_ms * count
