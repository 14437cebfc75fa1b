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
