import { describe, expect, test } from 'vitest'
import { dayAt, monthSpan, spanBefore, spanOf } from './months.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (text: string) => Date.parse(text)

describe('a month of the portal', () => {
  test.each([
    ['2026-02', 28],
    ['2028-02', 29],
    ['2026-04', 30],
    ['2026-12', 31],
  ])('has the days that it has: %s', (month, days) => {
    const { from, to } = monthSpan(month, 'Asia/Shanghai')
    expect((to - from) / DAY).toBe(days)
  })
  test('begins at midnight of its zone, also where that has half hours and quarters of one', () => {
    expect(monthSpan('2026-11', 'Asia/Kolkata').from).toBe(at('2026-10-31T18:30:00Z'))
    expect(monthSpan('2026-11', 'Asia/Kathmandu').from).toBe(at('2026-10-31T18:15:00Z'))
  })
  test('is an hour shorter or longer when the clocks are changed in it', () => {
    const length = ({ from, to }: { from: number; to: number }) => (to - from) / HOUR
    expect(length(monthSpan('2026-03', 'Europe/Berlin'))).toBe(31 * 24 - 1)
    expect(length(monthSpan('2026-10', 'Europe/Berlin'))).toBe(31 * 24 + 1)
  })
  test('is the span that a report has unless another is asked for, as far as it has come', () => {
    const now = at('2026-11-20T05:10:00Z')
    const zone = { now, time_zone: 'Asia/Shanghai' }
    expect(spanOf({}, zone)).toEqual({ from: at('2026-10-31T16:00:00Z'), to: now })
    expect(spanOf({ month: '2026-09' }, zone)).toEqual(monthSpan('2026-09', 'Asia/Shanghai'))
    const future = spanOf({ month: '2027-01' }, zone)
    expect(future.to).toBe(future.from)
  })
  test('is compared with as much of the month before, which may be shorter', () => {
    const whole = monthSpan('2026-03', 'UTC')
    expect(spanBefore(whole, 'UTC')).toEqual(monthSpan('2026-02', 'UTC'))
    expect(spanBefore({ from: whole.from, to: whole.from + DAY }, 'UTC')).toEqual({
      from: at('2026-02-01T00:00:00Z'),
      to: at('2026-02-02T00:00:00Z'),
    })
  })
})

describe('a span', () => {
  const zone = { now: at('2026-11-20T00:00:00Z'), time_zone: 'UTC' }
  test('ends now unless it says when', () => {
    expect(spanOf({ from: '2026-01-01T00:00:00Z' }, zone).to).toBe(zone.now)
  })
  test('that ends before it begins, or is longer than ten years, is refused', () => {
    expect(() => spanOf({ from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, zone)).toThrow()
    expect(() => spanOf({ from: '2010-01-01T00:00:00Z' }, zone)).toThrow()
  })
})

describe('a day', () => {
  test('is that of the clock on the wall', () => {
    expect(dayAt(at('2026-11-19T16:00:00Z'), 'Asia/Shanghai')).toBe('2026-11-20')
    expect(dayAt(at('2026-11-19T15:59:59Z'), 'Asia/Shanghai')).toBe('2026-11-19')
  })
})
