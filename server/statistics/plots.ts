import { LOGGED_OUTCOMES, type LoggedOutcome } from '#contract/askLog.ts'
import type { Source } from '#contract/models.ts'
import { type AskPlot, type AskSeries, MAX_SERIES, type RequestPlot, type RequestSeries } from '#contract/statistics.ts'
import type { PackedAsks } from './askPlotReader.ts'
import type { Buckets } from './range.ts'

type PackedRequests = { route_path: string; method: string; total: number; buckets: string }

/** Numbers per bucket. Asks: bucket, two durations and the outcomes. Requests: bucket, count and duration. */
const [OF_ASKS, OF_REQUESTS] = [3 + LOGGED_OUTCOMES.length, 3]

/** Asks of a range as a plot draws them, and their figures. */
export function askPlotOf(buckets: Buckets, rows: readonly PackedAsks[]): AskPlot {
  const kept = keysWithMost(rows.map(row => [askKey(row), row.total]))
  const series = new Map<string | null, AskSeries>()
  const outcomes: AskPlot['outcomes'] = {}
  for (const row of rows) {
    const key = kept.has(askKey(row)) ? askKey(row) : null
    const one = series.get(key) ?? emptyAskSeries(buckets, key === null ? null : row)
    if (row.total > 0) series.set(key, one) // not where all were refused
    one.total += row.total
    unpack(row.buckets, OF_ASKS, (bucket, [queueing = 0, answering = 0, ...counts]) => {
      addTo(one.queueing_time, bucket, queueing)
      addTo(one.ask_time, bucket, answering)
      for (const [at, outcome] of LOGGED_OUTCOMES.entries()) {
        const asks = counts[at] ?? 0
        if (asks === 0) continue
        addTo((outcomes[outcome] ??= zeros(buckets)), bucket, asks)
        if (outcome !== 'refused') addTo(one.asks, bucket, asks)
      }
    })
  }
  const inSeconds = inOrder(series).map(one => ({
    ...one,
    queueing_time: one.queueing_time.map(secondsOf),
    ask_time: one.ask_time.map(secondsOf),
  }))
  return { ...wireBuckets(buckets), series: inSeconds, outcomes, figures: figuresOf(rows, outcomes) }
}

/** `row` is null for the series of all others together. */
const emptyAskSeries = (buckets: Buckets, row: PackedAsks | null): AskSeries => ({
  source: row === null ? null : (row.source as Source), // only the two sources are ever stored
  model: row?.model ?? null,
  total: 0,
  asks: zeros(buckets),
  queueing_time: zeros(buckets),
  ask_time: zeros(buckets),
})

function figuresOf(rows: readonly PackedAsks[], outcomes: AskPlot['outcomes']): AskPlot['figures'] {
  const count = (outcome: LoggedOutcome) => sumOf(outcomes[outcome] ?? [])
  const asks = sumOf(rows.map(({ total }) => total))
  return {
    asks,
    failed: count('failed'),
    refused: count('refused'),
    left_queue: count('left'),
    mean_queueing_time: asks === 0 ? null : rounded(sumOf(rows.map(({ queueing_time }) => queueing_time)) / asks),
    longest_queueing_time:
      asks === 0 ? null : rounded(Math.max(...rows.map(({ longest_queueing_time }) => longest_queueing_time))),
  }
}

/** Requests of a range as a plot draws them. */
export function requestPlotOf(buckets: Buckets, rows: readonly PackedRequests[]): RequestPlot {
  const kept = keysWithMost(rows.map(row => [routeKey(row), row.total]))
  const series = new Map<string | null, RequestSeries>()
  for (const row of rows) {
    const key = kept.has(routeKey(row)) ? routeKey(row) : null
    const one = series.get(key) ?? {
      method: key === null ? null : row.method,
      route_path: key === null ? null : row.route_path,
      total: 0,
      requests: zeros(buckets),
      elapsed_ms: zeros(buckets),
    }
    series.set(key, one)
    one.total += row.total
    unpack(row.buckets, OF_REQUESTS, (bucket, [requests = 0, elapsed_ms = 0]) => {
      addTo(one.requests, bucket, requests)
      addTo(one.elapsed_ms, bucket, elapsed_ms)
    })
  }
  return { ...wireBuckets(buckets), series: inOrder(series) }
}

const askKey = ({ source, model }: PackedAsks): string => `${source} ${model}`
const routeKey = ({ method, route_path }: PackedRequests): string => `${method} ${route_path}`

function wireBuckets({ start, granularity_ms, count }: Buckets) {
  return { start: new Date(start).toISOString(), granularity: granularity_ms / 1000, count }
}

/** The keys of the largest series; all others become one. */
function keysWithMost(rows: readonly [key: string, total: number][]): ReadonlySet<string> {
  const totals = new Map<string, number>()
  for (const [key, total] of rows) totals.set(key, (totals.get(key) ?? 0) + total)
  const most = [...totals].toSorted(([, one], [, other]) => other - one).slice(0, MAX_SERIES)
  return new Set(most.map(([key]) => key))
}

/** The largest first, the series of all others last. */
function inOrder<Series extends { total: number }>(series: ReadonlyMap<string | null, Series>): Series[] {
  return [...series]
    .toSorted(([key, one], [otherKey, other]) =>
      key === null ? 1 : otherKey === null ? -1 : other.total - one.total || (key < otherKey ? -1 : 1),
    )
    .map(([, one]) => one)
}

/** Reads the comma-separated numbers of buckets: as JSON, which is five times as fast as splitting the text. */
function unpack(packed: string, width: number, take: (bucket: number, values: readonly number[]) => void): void {
  const numbers = JSON.parse(`[${packed}]`) as number[] // written by the two readers
  for (let at = 0; at < numbers.length; at += width) take(numbers[at] ?? 0, numbers.slice(at + 1, at + width))
}

const zeros = ({ count }: Buckets): number[] => Array.from({ length: count }, () => 0)

function addTo(values: number[], at: number, more: number): void {
  values[at] = (values[at] ?? 0) + more
}

const secondsOf = (milliseconds: number): number => milliseconds / 1000

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Three decimals. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000
