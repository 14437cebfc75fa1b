import { describe, expect, test } from 'vitest'
import { MAX_BUCKETS } from '#contract/statistics.ts'
import { bucketsOf, endOf, granularityOf, HALF_HOUR, rangeOf } from './range.ts'

const NOW = Date.parse('2026-11-28T08:10:00Z')
const HOUR = 2 * HALF_HOUR
const iso = (time: number) => new Date(time).toISOString()

describe('a range', () => {
  test('is the last 24 hours unless said otherwise, and ends now at the latest', () => {
    expect(rangeOf({}, NOW)).toEqual({ from: NOW - 24 * HOUR, to: NOW })
    expect(rangeOf({ to: iso(NOW - HOUR) }, NOW)).toEqual({ from: NOW - 25 * HOUR, to: NOW - HOUR })
    expect(rangeOf({ from: '0001-01-01T00:00:00Z', to: '9999-01-01T00:00:00Z' }, NOW)).toEqual({ from: 0, to: NOW })
  })
  test('is the same moment in whichever zone it is written', () => {
    const utc = rangeOf({ from: '2026-11-27T18:30:00Z', to: '2026-11-28T00:00:00Z' }, NOW)
    for (const [from, to] of [
      ['2026-11-28T02:30:00+08:00', '2026-11-28T08:00:00+08:00'],
      ['2026-11-28T00:00:00+05:30', '2026-11-28T05:30:00+05:30'],
      ['2026-11-27T08:30:00-10:00', '2026-11-27T14:00:00-10:00'],
    ] as const)
      expect(rangeOf({ from, to }, NOW), from).toEqual(utc)
  })
  test('of a day in a zone is that day, on which clocks are set back, too', () => {
    // The last Sunday of October in Berlin has 25 hours.
    const { from, to } = rangeOf({ from: '2026-10-25T00:00:00+02:00', to: '2026-10-26T00:00:00+01:00' }, NOW)
    expect((to - from) / HOUR).toBe(25)
    expect(bucketsOf({ from, to }, HALF_HOUR)).toMatchObject({ start: from, count: 50 })
  })
  test('that ends before it begins is refused', () => {
    expect(() => rangeOf({ from: iso(NOW) }, NOW)).toThrow('errors.invalidParams')
    expect(() => rangeOf({ from: iso(NOW - 1), to: iso(NOW - 2) }, NOW)).toThrow('errors.invalidParams')
  })
})

describe('a granularity', () => {
  test('is half an hour unless said otherwise; its multiples are always answered', () => {
    expect(granularityOf(undefined, 0, NOW)).toBe(HALF_HOUR)
    expect(granularityOf('86400', 0, NOW)).toBe(24 * HOUR)
  })
  test('that is finer is answered for the last 48 hours only', () => {
    expect(granularityOf('60', NOW - 48 * HOUR, NOW)).toBe(60_000)
    expect(granularityOf('2400', NOW - 48 * HOUR, NOW)).toBe(2_400_000)
    expect(() => granularityOf('60', NOW - 49 * HOUR, NOW)).toThrow('errors.invalidParams')
  })
  test.each(['0', '59', '90', '1830'])('of %s seconds is refused', seconds => {
    expect(() => granularityOf(seconds, NOW - HOUR, NOW)).toThrow('errors.invalidParams')
  })
})

describe('the buckets of a range', () => {
  test('begin at multiples of the granularity, and hold the whole range', () => {
    expect(bucketsOf({ from: NOW - HOUR, to: NOW }, HALF_HOUR)).toEqual({
      start: Date.parse('2026-11-28T07:00:00Z'),
      granularity_ms: HALF_HOUR,
      count: 3,
    })
  })
  test('hold the first and the last moment of the range, at any granularity', () => {
    for (const granularity of [60_000, HALF_HOUR, 7 * HALF_HOUR, 24 * HOUR])
      for (const [from, to] of [
        [NOW - 5 * HOUR, NOW],
        [NOW - HALF_HOUR, NOW - HALF_HOUR + 1],
        [Date.parse('2026-11-27T18:30:00Z'), Date.parse('2026-11-28T00:00:00Z')],
      ] as const) {
        const buckets = bucketsOf({ from, to }, granularity)
        expect(buckets.start % granularity).toBe(0)
        expect(buckets.start <= from && from < buckets.start + granularity).toBe(true)
        expect(endOf(buckets) >= to && endOf(buckets) - granularity < to).toBe(true)
      }
  })
  test('are coarser where there would be too many', () => {
    const month = bucketsOf({ from: NOW - 30 * 24 * HOUR, to: NOW }, HALF_HOUR)
    expect(month).toMatchObject({ granularity_ms: HALF_HOUR, count: 1_441 })
    const year = bucketsOf({ from: NOW - 365 * 24 * HOUR, to: NOW }, HALF_HOUR)
    expect(year).toMatchObject({ granularity_ms: 6 * HOUR, count: 1_461 })
    expect(bucketsOf({ from: 0, to: NOW }, HALF_HOUR).count).toBeLessThanOrEqual(MAX_BUCKETS)
  })
})
