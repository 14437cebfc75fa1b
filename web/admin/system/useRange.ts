import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { PlainKey } from '#web/i18n/dictionary.ts'

export const RANGES = ['24h', '7d', '30d', 'own'] as const
export type RangeName = (typeof RANGES)[number]

const HOUR = 3600
const DAY = 24 * HOUR
const SECONDS: Record<Exclude<RangeName, 'own'>, number> = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY }

/** Seconds of a bucket that may be chosen. Those below half an hour are known of the last two days only. */
export const GRANULARITIES = {
  300: 'system.each.5m',
  1800: 'system.each.30m',
  3600: 'system.each.1h',
  21600: 'system.each.6h',
  86400: 'system.each.1d',
} as const satisfies Record<number, PlainKey>
export type Granularity = keyof typeof GRANULARITIES
const FINE = 1800
const FINE_FOR = 2 * DAY
/** More columns than this are no columns any more. */
const MOST_BUCKETS = 400

export type PlotName = 'asks' | 'requests'

/** What the plots show. Kept in the address. */
export type Range = {
  name: RangeName
  /** Of one's own range: dates `2026-11-20`, the last one included; blank while it is not chosen. */
  from: string
  to: string
  /** What the calls take; without `from` the end is now. */
  query: { from?: string; to?: string }
  /** Seconds from its beginning to its end. */
  length: number
  granularityOf(plot: PlotName): Granularity
  /** Those that make sense for its length. */
  granularities: readonly Granularity[]
  change(changes: Readonly<Record<string, string | undefined>>): void
}

/** `now`: epoch milliseconds. */
export function useRange(now: number): Range {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  // Every answer that begins at another second would be another query.
  const minute = Math.floor(now / 60_000) * 60_000
  return useMemo(() => {
    const change: Range['change'] = changes => {
      const next = (previous: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries({ ...previous, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
        )
      // The router keeps a type for each route; what it does not mean is left out when it is read.
      void navigate({ to: '.', search: next as never, replace: true })
    }
    return { ...rangeOf(search, minute), change }
  }, [search, navigate, minute])
}

/** The range of an address. Anything else that somebody wrote there is the last 24 hours. */
export function rangeOf(search: Readonly<Record<string, unknown>>, now: number): Omit<Range, 'change'> {
  const name = RANGES.find(one => one === search.range) ?? '24h'
  const [from, to] = name === 'own' ? [dateIn(search.from), dateIn(search.to)] : ['', '']
  const start = from === '' ? null : new Date(`${from}T00:00`).getTime()
  const end = to === '' ? now : Math.min(now, nextDay(to))
  const isOwn = name === 'own' && start !== null && start < end
  const length = isOwn ? (end - start) / 1000 : SECONDS[name === 'own' ? '24h' : name]
  const query = isOwn
    ? { from: new Date(start).toISOString(), to: new Date(end).toISOString() }
    : { from: new Date(now - length * 1000).toISOString() }
  const oldest = (now - Date.parse(query.from)) / 1000
  const granularities = granularitiesOf(length, oldest)
  return {
    ...{ name, from, to, query, length, granularities },
    granularityOf: plot => {
      const usual = usualGranularity(length, plot)
      const chosen = granularities.find(each => String(each) === search[plot])
      return chosen ?? granularities.find(each => each >= usual) ?? granularities.at(-1) ?? 86400
    },
  }
}

function granularitiesOf(length: number, oldest: number): Granularity[] {
  const all = Object.keys(GRANULARITIES).map(Number) as Granularity[] // keys of a literal
  return all.filter(each => each * 2 <= length && length / each <= MOST_BUCKETS && (each >= FINE || oldest <= FINE_FOR))
}

/** Seconds. Lines may be finer than columns. */
function usualGranularity(length: number, plot: PlotName): number {
  if (length <= 2 * DAY) return plot === 'asks' ? HOUR : 1800
  return length <= 10 * DAY ? (plot === 'asks' ? 6 * HOUR : HOUR) : plot === 'asks' ? DAY : 6 * HOUR
}

function dateIn(value: unknown): string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : ''
}

function nextDay(date: string): number {
  const day = new Date(`${date}T00:00`)
  day.setDate(day.getDate() + 1)
  return day.getTime()
}
