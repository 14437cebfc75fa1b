import { describe, expect, test } from 'vitest'
import { aWindow, DAY, HOUR, MODEL, NOW, whoAsks } from './pool.testing.ts'
import { type HalfHour, usualBetween, usualFrom } from './usual.ts'

const WEEK = 7 * DAY
const settings = { windows: [aWindow(), aWindow({ key: 'other', models: ['gpt_5'] })], time_zone: 'UTC' }
const used = (start_time: number, asks: number, model = MODEL): HalfHour => ({
  ...{ start_time, model, asks: asks * 1000, tokens: 0, money: 0 },
})
const usually = (halfHours: readonly HalfHour[], from: number, to: number, key = 'window', now = NOW) => {
  const usual = usualFrom(halfHours, settings, now)
  return usual === null ? null : usualBetween(from, to)(usual, key)
}

describe('what somebody usually uses', () => {
  test('is the mean of the same hours of the week in the last four weeks', () => {
    const halfHours = [1, 2, 3, 4].map(weeks => used(NOW + HOUR - weeks * WEEK, weeks))
    const known = [...halfHours, used(NOW - 4 * WEEK, 0)]
    expect(usually(known, NOW, NOW + 2 * HOUR)).toBe(2500)
    expect(usually(known, NOW, NOW + HOUR)).toBe(0)
    expect(usually(known, NOW + HOUR, NOW + HOUR + 900_000)).toBe(1250)
    expect(usually(known, NOW + DAY, NOW + DAY + 2 * HOUR)).toBe(0)
  })
  test('is of so many whole weeks as there are, and of the models of the window', () => {
    const known = [used(NOW - 2 * WEEK - HOUR, 1), used(NOW - WEEK + HOUR, 3), used(NOW - WEEK + HOUR, 5, 'gpt_5')]
    expect(usually(known, NOW, NOW + 2 * HOUR)).toBe(4000)
    expect(usually(known, NOW, NOW + 2 * HOUR, 'other')).toBe(2500)
  })
  test('is not known without a whole week', () => {
    expect(usually([used(NOW - WEEK + 1, 3)], NOW, NOW + DAY)).toBe(null)
    expect(usually([], NOW, NOW + DAY)).toBe(null)
  })
  test('repeats in windows that are longer than a week', () => {
    const known = [used(NOW - WEEK, 0), used(NOW - WEEK + HOUR, 3)]
    expect(usually(known, NOW, NOW + 3 * WEEK)).toBe(9000)
  })
  test('is at the same hour on the wall when the clocks were changed', () => {
    const summer = Date.parse('2026-03-30T08:00:00Z')
    const usual = usualFrom(
      [used(summer - WEEK, 0), used(summer - WEEK + 2 * HOUR, 3)],
      { ...settings, time_zone: 'Europe/Berlin' },
      summer,
    )
    if (usual === null) throw new Error('there is a week')
    expect(usualBetween(summer + HOUR, summer + HOUR + 1_800_000)(usual, 'window')).toBe(3000)
  })
  test('is what a builder of tests says', () => {
    const usual = whoAsks(2, NOW + HOUR)
    expect(usual === null ? null : usualBetween(NOW, NOW + DAY)(usual, 'window')).toBe(2000)
  })
})
