import { invalid } from '#server/foundation/refusal.ts'
import { momentOfWall, wallTimeOf } from '#server/foundation/clock.ts'

/** Epoch milliseconds; the end is not part of it. */
export type Span = { from: number; to: number }

/** "2026-11-29" and "2026-11", as the clock on the wall of a time zone shows them. */
export const dayAt = (time: number, time_zone: string): string => wallTimeOf(time, time_zone).slice(0, 10)
export const monthAt = (time: number, time_zone: string): string => wallTimeOf(time, time_zone).slice(0, 7)

/** A month as "2026-11", from its first moment to that of the next one. */
export function monthSpan(month: string, time_zone: string): Span {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const first = (months: number) => momentOfWall(Date.UTC(year, number - 1 + months, 1), time_zone)
  return { from: first(0), to: first(1) }
}

/** Milliseconds: at most so long, so that no answer has more rows than there are days in ten years. */
const MAX_SPAN = 3_660 * 86_400_000

type SpanQuery = { from?: string | undefined; to?: string | undefined; month?: string | undefined }

/** The month so far, unless something else is asked for. */
export function spanOf({ from, to, month }: SpanQuery, { now, time_zone }: { now: number; time_zone: string }): Span {
  if (month !== undefined || (from === undefined && to === undefined)) {
    const whole = monthSpan(month ?? monthAt(now, time_zone), time_zone)
    return { from: whole.from, to: Math.max(whole.from, Math.min(whole.to, now)) }
  }
  const end = to === undefined ? now : Date.parse(to)
  const start = from === undefined ? Math.max(0, end - MAX_SPAN) : Date.parse(from)
  if (start > end || end - start > MAX_SPAN)
    throw invalid(['query', 'from'], 'not before the end, or too long before it')
  return { from: start, to: end }
}

/** As far into the month before as the span has come into its own. */
export function spanBefore({ from, to }: Span, time_zone: string): Span {
  const before = monthSpan(monthAt(from - 1, time_zone), time_zone)
  return { from: before.from, to: Math.min(before.to, before.from + (to - from)) }
}
