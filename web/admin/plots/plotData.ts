import { formatTimeOfDay } from '#web/foundation/times.ts'

/** One model or path in a plot: sums by bucket. With `counts`, the plot shows means. */
export type PlotSeries = {
  /** Keeps its colour as long as the page is open. */
  key: string
  label: string
  sums: readonly number[]
  counts?: readonly number[]
}

export type PlotData = {
  /** Epoch seconds of the first bucket, and seconds of each. */
  start: number
  step: number
  count: number
  series: readonly PlotSeries[]
}

/** A series as it is drawn. `slot` is the number of its colour and dashes; null for all that have none of their own. */
export type DrawnSeries = {
  key: string
  label: string
  slot: number | null
  values: readonly (number | null)[]
  /** Of the whole range: the sum, or the mean. */
  whole: number | null
}

/** As many colours as there are: --s1 to --s8. */
export const MAX_SLOTS = 8

/** The colours given so far, by the keys of series. */
export type Slots = Map<string, number>

/** Gives free colours to new series; series without a colour become one, named `others`. */
export function drawnSeries({ series, count }: PlotData, slots: Slots, others: string): DrawnSeries[] {
  for (const { key } of series) if (!slots.has(key) && slots.size < MAX_SLOTS) slots.set(key, slots.size)
  const own = series.filter(({ key }) => slots.has(key))
  const left = series.filter(({ key }) => !slots.has(key))
  const ordered = own.toSorted((a, b) => (slots.get(a.key) ?? 0) - (slots.get(b.key) ?? 0))
  const drawn = ordered.map(one => drawnOf(one, slots.get(one.key) ?? null, count))
  return left.length === 0 ? drawn : [...drawn, drawnOf(together(left, others, count), null, count)]
}

function together(series: readonly PlotSeries[], label: string, count: number): PlotSeries {
  const sumOf = (part: (one: PlotSeries) => readonly number[]) =>
    Array.from({ length: count }, (_, at) => series.reduce((sum, one) => sum + (part(one)[at] ?? 0), 0))
  const sums = sumOf(one => one.sums)
  return series[0]?.counts === undefined
    ? { key: '', label, sums }
    : { key: '', label, sums, counts: sumOf(one => one.counts ?? []) }
}

function drawnOf({ key, label, sums, counts }: PlotSeries, slot: number | null, count: number): DrawnSeries {
  const values = Array.from({ length: count }, (_, at) =>
    counts === undefined ? (sums[at] ?? 0) : meanOf(sums[at] ?? 0, counts[at] ?? 0),
  )
  const all = total(sums)
  return { key, label, slot, values, whole: counts === undefined ? all : meanOf(all, total(counts)) }
}

const meanOf = (sum: number, count: number) => (count === 0 ? null : sum / count)
const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

/** The upper end of each column when they are stacked; null where a series has no value. */
export function stacked(series: readonly DrawnSeries[]): (number | null)[][] {
  const ground: number[] = []
  return series.map(({ values }) =>
    values.map((value, at) => {
      if (value === null || value === 0) return null
      ground[at] = (ground[at] ?? 0) + value
      return ground[at]
    }),
  )
}

export type PlotKind = 'lines' | 'columns'

export type PlotLook = {
  kind: PlotKind
  /** A value in words: "3.4 s". */
  format(value: number): string
}

/** Line patterns: solid, then different dashes; they repeat from the fifth series on. */
export const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [9, 3, 2, 3]]

/** The token of a series' colour. */
export const tokenOf = (slot: number | null): string => (slot === null ? '--ink-3' : `--s${slot + 1}`)

/** What a plot shows. */
export type Plotted = { title: string; look: PlotLook; data: PlotData; series: readonly DrawnSeries[] }

const DAY = 86_400

/** The time span of a bucket, with days when the plot has several. */
export function spanText({ start, step, count }: PlotData, bucket: number): string {
  const [from, to] = [start + bucket * step, start + (bucket + 1) * step]
  if (step * count > DAY) return shownSpan(from, to)
  return `${formatTimeOfDay(new Date(from * 1000))}–${formatTimeOfDay(new Date(to * 1000))}`
}

/** The same with the days, from and to seconds. */
export function shownSpan(from_seconds: number, to_seconds: number): string {
  const [from, to] = [new Date(from_seconds * 1000), new Date(to_seconds * 1000)]
  const dayOf = (time: Date) => `${time.getMonth() + 1}-${time.getDate()}`
  const end = to_seconds - from_seconds < DAY && dayOf(from) === dayOf(to) ? '' : `${dayOf(to)} `
  return `${dayOf(from)} ${formatTimeOfDay(from)}–${end}${formatTimeOfDay(to)}`
}
