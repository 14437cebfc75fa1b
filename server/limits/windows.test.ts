import { describe, expect, test } from 'vitest'
import type { LimitWindow } from '#contract/plans.ts'
import { spanOf } from './windows.ts'

const at = (text: string) => Date.parse(text)
const HOUR = 3_600_000

const spanAt = (window: LimitWindow, now: string, time_zone = 'UTC', opened_at: string | null = null) => {
  const span = spanOf(window, { now: at(now), time_zone, opened_at: opened_at === null ? null : at(opened_at) })
  const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  return [iso(span.starts), iso(span.ends)]
}

describe('a window', () => {
  test('of a day, a week and a month is that of the zone', () => {
    const now = '2026-03-04T20:30:00.000Z' // a Wednesday, and a Thursday in Shanghai
    expect(spanAt({ kind: 'day' }, now, 'Asia/Shanghai')).toEqual([
      '2026-03-04T16:00:00.000Z',
      '2026-03-05T16:00:00.000Z',
    ])
    expect(spanAt({ kind: 'week' }, now, 'Asia/Shanghai')).toEqual([
      '2026-03-01T16:00:00.000Z',
      '2026-03-08T16:00:00.000Z',
    ])
    expect(spanAt({ kind: 'month' }, now, 'Asia/Shanghai')).toEqual([
      '2026-02-28T16:00:00.000Z',
      '2026-03-31T16:00:00.000Z',
    ])
  })
  test('begins with its first moment, and the last before is of the one before', () => {
    expect(spanAt({ kind: 'week' }, '2026-03-02T00:00:00.000Z')[0]).toBe('2026-03-02T00:00:00.000Z')
    expect(spanAt({ kind: 'week' }, '2026-03-01T23:59:59.999Z')[0]).toBe('2026-02-23T00:00:00.000Z')
    expect(spanAt({ kind: 'week' }, '1969-12-31T12:00:00.000Z')[0]).toBe('1969-12-29T00:00:00.000Z')
  })
  test.each([
    ['a week in which the clock goes forward', 'week', 'Europe/Berlin', '2026-03-27T12:00:00.000Z', 167],
    ['a week in which it goes back', 'week', 'Europe/Berlin', '2026-10-20T12:00:00.000Z', 169],
    ['a day of 23 hours', 'day', 'Europe/Berlin', '2026-03-29T12:00:00.000Z', 23],
    ['a day of 25 hours', 'day', 'Europe/Berlin', '2026-10-25T12:00:00.000Z', 25],
    ['a day whose midnight is left out', 'day', 'Africa/Cairo', '2026-04-24T12:00:00.000Z', 23],
    ['a day with two midnights', 'day', 'Atlantic/Azores', '2026-10-25T12:00:00.000Z', 25],
    ['a day that changes by half an hour', 'day', 'Australia/Lord_Howe', '2026-04-04T20:00:00.000Z', 24.5],
    ['a month of 28 days', 'month', 'UTC', '2026-02-28T23:00:00.000Z', 28 * 24],
    ['a month of 29 days', 'month', 'UTC', '2028-02-01T00:00:00.000Z', 29 * 24],
    ['a month of 30 days', 'month', 'Asia/Kolkata', '2026-04-10T00:00:00.000Z', 30 * 24],
    ['a month of 31 days', 'month', 'Asia/Kathmandu', '2026-12-31T12:00:00.000Z', 31 * 24],
  ] as const)('is as long as %s', (_name, kind, zone, now, hours) => {
    const [starts, ends] = spanAt({ kind }, now, zone)
    expect((at(ends ?? '') - at(starts ?? '')) / HOUR).toBe(hours)
    // The next one follows at once.
    expect(spanAt({ kind }, ends ?? '', zone)[0]).toBe(ends)
    expect(spanAt({ kind }, new Date(at(ends ?? '') - 1).toISOString(), zone)[0]).toBe(starts)
  })
  test('of half hours begins at the midnight of its zone', () => {
    expect(spanAt({ kind: 'day' }, '2026-03-04T20:30:00.000Z', 'Asia/Kolkata')[0]).toBe('2026-03-04T18:30:00.000Z')
    expect(spanAt({ kind: 'day' }, '2026-03-04T20:30:00.000Z', 'Asia/Kathmandu')[0]).toBe('2026-03-04T18:15:00.000Z')
  })
  test('from the first ask on is open for so long, and then waits for the next one', () => {
    const window = { kind: 'from_first', seconds: 18_000 } as const
    expect(spanAt(window, '2026-03-04T12:00:00.000Z')).toEqual([null, null])
    const opened = '2026-03-04T08:00:00.000Z'
    expect(spanAt(window, '2026-03-04T12:59:59.999Z', 'UTC', opened)).toEqual([opened, '2026-03-04T13:00:00.000Z'])
    expect(spanAt(window, '2026-03-04T13:00:00.000Z', 'UTC', opened)).toEqual([null, null])
  })
  test('that rolls has a beginning alone, and for ever has neither', () => {
    expect(spanAt({ kind: 'rolling', seconds: 60 }, '2026-03-04T12:00:00.000Z')).toEqual([
      '2026-03-04T11:59:00.001Z',
      null,
    ])
    expect(spanAt({ kind: 'ever' }, '2026-03-04T12:00:00.000Z')).toEqual([null, null])
  })
})
