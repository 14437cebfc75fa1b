import type { LoggedOutcome } from '#contract/askLog.ts'
import type { Source } from '#contract/models.ts'
import { type AskPlot, type AskSeries, MAX_SERIES, type RequestPlot, type RequestSeries } from '#contract/statistics.ts'
import type { Buckets } from './range.ts'

export type PackedRequests = { route_path: string; method: string; total: number; buckets: string }

/** Asks alike. Times are milliseconds; `entries` has four numbers of each bucket: which one, asks, time in the queue, time of answers. */
type AskKind = {
  source: string
  model: string
  outcome: string
  total: number
  queueing_ms: number
  longest_ms: number
  entries: number[]
}

/** Numbers of each bucket. */
const [ASKS, REQUESTS] = [4, 3]
/** What a text of asks has of each entry, the kind first. */
const PACKED = 6

/** Asks of a range as a plot draws them, and their figures, from the text that the reader gives. */
export function askPlotOf(buckets: Buckets, packed: string): AskPlot {
  const kinds = kindsIn(packed)
  const asked = kinds.filter(({ outcome }) => outcome !== 'refused')
  const outcomes: AskPlot['outcomes'] = {}
  for (const { outcome, entries } of kinds) {
    // Only completion and refusedAsks.ts write it.
    const counts = (outcomes[outcome as LoggedOutcome] ??= zeros(buckets))
    eachBucket(entries, ASKS, (bucket, at) => addTo(counts, bucket, entries[at]))
  }
  return { ...wireBuckets(buckets), series: askSeries(buckets, asked), outcomes, figures: figuresOf(kinds, asked) }
}

/** Reads the text as JSON, which is five times as fast as splitting it. */
function kindsIn(packed: string): AskKind[] {
  const values = JSON.parse(`[${packed}]`) as (string | number)[] // written by the reader
  const kinds = new Map<string, AskKind>()
  for (let at = 0; at < values.length; at += PACKED) {
    const name = String(values[at])
    const [asks, queueing_ms] = [Number(values[at + 2]), Number(values[at + 3])]
    let kind = kinds.get(name)
    if (kind === undefined) kinds.set(name, (kind = newKind(name)))
    kind.total += asks
    kind.queueing_ms += queueing_ms
    kind.longest_ms = Math.max(kind.longest_ms, Number(values[at + 4]))
    kind.entries.push(Number(values[at + 1]), asks, queueing_ms, Number(values[at + 5]))
  }
  return [...kinds.values()]
}

function newKind(name: string): AskKind {
  const [source = '', model = '', outcome = ''] = name.split(' ')
  return { source, model, outcome, total: 0, queueing_ms: 0, longest_ms: 0, entries: [] }
}

function askSeries(buckets: Buckets, kinds: readonly AskKind[]): AskSeries[] {
  const kept = keysWithMost(kinds.map(kind => [askKey(kind), kind.total]))
  const series = new Map<string | null, AskSeries>()
  for (const kind of kinds) {
    const { entries } = kind
    const key = kept.has(askKey(kind)) ? askKey(kind) : null
    const one = series.get(key) ?? {
      source: key === null ? null : (kind.source as Source), // only the two sources are ever stored
      model: key === null ? null : kind.model,
      total: 0,
      asks: zeros(buckets),
      queueing_time: zeros(buckets),
      ask_time: zeros(buckets),
    }
    series.set(key, one)
    one.total += kind.total
    eachBucket(entries, ASKS, (bucket, at) => {
      addTo(one.asks, bucket, entries[at])
      addTo(one.queueing_time, bucket, entries[at + 1])
      addTo(one.ask_time, bucket, entries[at + 2])
    })
  }
  return inOrder(series).map(one => ({
    ...one,
    queueing_time: one.queueing_time.map(inSeconds),
    ask_time: one.ask_time.map(inSeconds),
  }))
}

function figuresOf(kinds: readonly AskKind[], asked: readonly AskKind[]): AskPlot['figures'] {
  const count = (outcome: LoggedOutcome) =>
    kinds.reduce((sum, kind) => sum + (kind.outcome === outcome ? kind.total : 0), 0)
  const asks = asked.reduce((sum, { total }) => sum + total, 0)
  const waited_ms = asked.reduce((sum, { queueing_ms }) => sum + queueing_ms, 0)
  return {
    asks,
    failed: count('failed'),
    refused: count('refused'),
    left_queue: count('left'),
    mean_queueing_time: asks === 0 ? null : rounded(inSeconds(waited_ms / asks)),
    longest_queueing_time: asks === 0 ? null : inSeconds(Math.max(...asked.map(({ longest_ms }) => longest_ms))),
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
    const entries = JSON.parse(`[${row.buckets}]`) as number[] // written by the reader
    eachBucket(entries, REQUESTS, (bucket, at) => {
      addTo(one.requests, bucket, entries[at])
      addTo(one.elapsed_ms, bucket, entries[at + 1])
    })
  }
  return { ...wireBuckets(buckets), series: inOrder(series) }
}

const askKey = ({ source, model }: AskKind): string => `${source} ${model}`
const routeKey = ({ method, route_path }: PackedRequests): string => `${method} ${route_path}`

function wireBuckets({ start, granularity_ms, count }: Buckets) {
  return { start: new Date(start).toISOString(), granularity: granularity_ms / 1000, count }
}

/** The series that are drawn by themselves. */
function keysWithMost(rows: readonly [key: string, total: number][]): ReadonlySet<string> {
  const totals = new Map<string, number>()
  for (const [key, total] of rows) totals.set(key, (totals.get(key) ?? 0) + total)
  const most = [...totals].toSorted(([, one], [, other]) => other - one).slice(0, MAX_SERIES)
  return new Set(most.map(([key]) => key))
}

/** Those with most first, the others together last. */
function inOrder<Series extends { total: number }>(series: ReadonlyMap<string | null, Series>): Series[] {
  return [...series]
    .toSorted(([key, one], [otherKey, other]) =>
      key === null ? 1 : otherKey === null ? -1 : other.total - one.total || (key < otherKey ? -1 : 1),
    )
    .map(([, one]) => one)
}

/** Of entries of so many numbers: the bucket of each, and where what it has begins. */
function eachBucket(entries: readonly number[], width: number, take: (bucket: number, at: number) => void): void {
  for (let at = 0; at < entries.length; at += width) take(entries[at] ?? 0, at + 1)
}

const zeros = ({ count }: Buckets): number[] => Array.from({ length: count }, () => 0)

function addTo(values: number[], at: number, more = 0): void {
  values[at] = (values[at] ?? 0) + more
}

const inSeconds = (milliseconds: number): number => milliseconds / 1000

/** To the millisecond, or the third decimal. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000
