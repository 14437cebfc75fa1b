import { describe, expect, test } from 'vitest'
import { bySlots, firstQuiet } from './likelyQuiet.ts'

const DAY = 86_400_000
const HALF_HOUR = 1_800_000
const MIDNIGHT = Date.parse('2026-11-30T00:00:00Z')
const at = (hour: number, day = 0) => MIDNIGHT + day * DAY + hour * 2 * HALF_HOUR

/** So many asks in each half hour between these hours of so many days. */
const asked = (from: number, to: number, asks: number, days = 14) =>
  Array.from({ length: days }, (_, day) =>
    Array.from({ length: (to - from) * 2 }, (_each, half) => ({
      start_time: at(from, -day - 1) + half * HALF_HOUR,
      asks,
    })),
  ).flat()

describe('when it is likely to be quiet', () => {
  const slots = bySlots(asked(8, 22, 3))

  test('is when people usually stop asking', () => {
    expect(firstQuiet(slots, at(15), at(31))).toBe(at(22))
  })
  test('is now, where little is asked now', () => {
    expect(firstQuiet(slots, at(23) + 1, at(31))).toBe(at(23) + 1)
  })
  test('is the next night where the moment is in the morning', () => {
    expect(firstQuiet(slots, at(9), at(31))).toBe(at(22))
  })
  test('is not known where it is never quiet before that moment', () => {
    expect(firstQuiet(slots, at(9), at(20))).toBe(null)
  })
  test('is not known by a handful of asks', () => {
    expect(firstQuiet(bySlots(asked(8, 9, 1, 5)), at(15), at(31))).toBe(null)
  })
  test('is not known where as much is asked at any hour', () => {
    expect(firstQuiet(bySlots(asked(0, 24, 2)), at(15), at(31))).toBe(null)
  })
})
