import { expect, test } from 'vitest'
import { lentMore, lentNow } from './lentHistory.ts'

const DAY = 86_400_000

test('what somebody lent halves in a week', () => {
  const lent = lentMore(null, 8, 0)
  expect(lentNow(lent, 7 * DAY)).toBe(4)
  expect(lentNow(lentMore(lent, 1, 7 * DAY), 14 * DAY)).toBe(2.5)
})
test('a clock that is set back makes it no more', () => {
  expect(lentNow({ amount: 8, at: 7 * DAY }, 0)).toBe(8)
  expect(lentMore({ amount: 8, at: 7 * DAY }, 1, 0)).toEqual({ amount: 9, at: 7 * DAY })
})
