import type { Range, RangeChoice } from '../range/RangeSwitch.tsx'
import { useAddress } from '#web/admin/table/useListAddress.ts'
import type { PlainKey } from '#web/i18n/dictionary.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** Seconds of a bucket that may be chosen. Those below half an hour are known of the last two days only. */
export const GRANULARITIES = {
  300: 'system.each.5m',
  1800: 'system.each.30m',
  3600: 'system.each.1h',
  21600: 'system.each.6h',
  86400: 'system.each.1d',
} as const satisfies Record<number, PlainKey>
type Granularity = keyof typeof GRANULARITIES
const FINE = 1800
const FINE_FOR = 2 * DAY
/** Columns at most; more would be too narrow. */
const MAX_BUCKETS = 400

type PlotName = 'asks' | 'requests'

/** How finely a plot is drawn. Kept in the address. */
export type Granularities = {
  chosen: Granularity
  /** Those that make sense for the range. */
  offered: readonly Granularity[]
  choose(granularity: Granularity): void
}

export function useGranularity(range: RangeChoice, plot: PlotName, now: number): Granularities {
  const { search, go } = useAddress()
  return { ...granularityIn(search, range, plot, now), choose: each => go({ [plot]: String(each) }, true) }
}

/** The granularity of a plot: the one in the address, else the usual one for the range. */
export function granularityIn(
  search: Readonly<Record<string, unknown>>,
  range: Range,
  plot: PlotName,
  now: number,
): Omit<Granularities, 'choose'> {
  const offered = granularitiesOf(range.length, (now - Date.parse(range.query.from)) / 1000)
  const usual = usualGranularity(range.length, plot)
  const named = offered.find(each => String(each) === search[plot])
  return { offered, chosen: named ?? offered.find(each => each >= usual) ?? offered.at(-1) ?? 86400 }
}

function granularitiesOf(length: number, oldest: number): Granularity[] {
  const all = Object.keys(GRANULARITIES).map(Number) as Granularity[] // keys of a literal
  return all.filter(each => each * 2 <= length && length / each <= MAX_BUCKETS && (each >= FINE || oldest <= FINE_FOR))
}

/** Seconds. Lines may be finer than columns. */
function usualGranularity(length: number, plot: PlotName): number {
  if (length <= 2 * DAY) return plot === 'asks' ? HOUR : 1800
  return length <= 10 * DAY ? (plot === 'asks' ? 6 * HOUR : HOUR) : plot === 'asks' ? DAY : 6 * HOUR
}
