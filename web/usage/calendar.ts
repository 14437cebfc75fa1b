import type { MyUsage } from '#contract/usage.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { PlotSpan } from './queries.ts'

const DAY = 86_400_000
/** Columns of the plot. */
const COLUMNS = 12

/** "2026-11-29": the day that it is in a time zone. */
export function dayIn(moment: Date, time_zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone, dateStyle: 'short' }).format(moment)
}

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The Monday of the week that a day is in. */
export function mondayOf(day: string): string {
  const time = timeOf(day)
  return dayOf(time - ((new Date(time).getUTCDay() + 6) % 7) * DAY)
}

const monthBefore = (month: string, count: number): string => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 - count, 1)).toISOString().slice(0, 7)
}

/** What a column stands for: its first day, or its month as "2026-11". */
export type Column = { start: string; asks: Record<Source, number> }

/** Asks by week or month, the last twelve, the present one at the end. */
export function columnsOf(rows: MyUsage['rows'], today: string, span: PlotSpan): Column[] {
  const startOf = (day: string) => (span === 'weeks' ? mondayOf(day) : day.slice(0, 7))
  const now = startOf(today)
  const starts = Array.from({ length: COLUMNS }, (_, at) =>
    span === 'weeks' ? dayOf(timeOf(now) - (COLUMNS - 1 - at) * 7 * DAY) : monthBefore(now, COLUMNS - 1 - at),
  )
  const byStart = groupBy(rows, ({ day }) => startOf(day))
  return starts.map(start => ({
    start,
    asks: Object.fromEntries(
      SOURCES.map(source => [source, sumOf((byStart.get(start) ?? []).filter(row => row.source === source))]),
    ) as Column['asks'], // one of each
  }))
}

const sumOf = (rows: MyUsage['rows']): number => rows.reduce((sum, { asks }) => sum + asks, 0)

/** Where the axis ends: a round number at or above the highest column, divided by three lines. */
export function axisEnd(highest: number): number {
  const third = Math.max(1, Math.ceil(highest / 3))
  const step = 10 ** Math.max(0, Math.floor(Math.log10(third)))
  return Math.ceil(third / step) * step * 3
}

/**
 * The moment at which a day of a time zone ends. The offset is computed twice, because it may change between the first
 * guess and the result.
 */
export function endOfDay(day: string, time_zone: string): Date {
  const wall = timeOf(day) + DAY
  const first = wall - aheadOfUtc(wall, time_zone)
  return new Date(wall - aheadOfUtc(first, time_zone))
}

function aheadOfUtc(moment: number, time_zone: string): number {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: time_zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(moment)
  return Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(moment / 1000) * 1000
}

/** The Sunday of the week that a day is in, and the last day of its month. */
export const sundayOf = (day: string): string => dayOf(timeOf(mondayOf(day)) + 6 * DAY)
export const endOfMonthOf = (day: string): string => dayOf(timeOf(`${monthBefore(day.slice(0, 7), -1)}-01`) - DAY)

/** What was used of each model in the month that a day is in, the most first. */
export function modelsOfMonth(rows: MyUsage['rows'], today: string): MyUsage['rows'] {
  const inMonth = rows.filter(({ day }) => day.startsWith(today.slice(0, 7)))
  const byModel = groupBy(inMonth, ({ source, model }) => `${source} ${model}`)
  return [...byModel.values()].map(added).toSorted((a, b) => b.asks - a.asks)
}

/** Rows added up; the first says of what. */
export function added(rows: MyUsage['rows']): MyUsage['rows'][number] {
  const [first, ...others] = rows
  if (first === undefined) throw new Error('nothing is added up of nothing')
  return others.reduce(
    (sum, row) => ({
      ...sum,
      asks: sum.asks + row.asks,
      input_tokens: sum.input_tokens + row.input_tokens,
      cached_tokens: sum.cached_tokens + row.cached_tokens,
      output_tokens: sum.output_tokens + row.output_tokens,
      tokens: sum.tokens + row.tokens,
      money: sum.money + row.money,
      seconds: sum.seconds + row.seconds,
      estimated: sum.estimated || row.estimated,
    }),
    first,
  )
}

/** As a method of Map does in newer browsers. */
export function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}
