import { formatTimeOfDay } from '#web/foundation/times.ts'
import type { DrawnSeries, PlotData } from './plotData.ts'

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
