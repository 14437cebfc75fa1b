import { describe, expect, test } from 'vitest'
import type { AccountWindow } from '#contract/shares.ts'
import { changedWindow, nextWindow, reserveOf, shareOf, withWindows } from './accountWindows.ts'

const HOURS: AccountWindow = { unit: 'asks', amount: 50, window: { kind: 'rolling', seconds: 18_000 }, models: null }
const WEEK: AccountWindow = { unit: 'asks', amount: 600, window: { kind: 'week' }, models: null }

describe('the windows of a form', () => {
  test('begin with what is usual, and are four at most', () => {
    const first = nextWindow([])
    expect(first).toEqual(HOURS)
    expect(nextWindow([HOURS])).toEqual(WEEK)
    const four = [HOURS, WEEK, { ...WEEK, window: { kind: 'day' } }, { ...WEEK, window: { kind: 'month' } }] as const
    expect(nextWindow(four)).toBe(null)
  })
  test('begin shares with the first, end them with the last, and stand the shortest first', () => {
    const none = { windows: [], sharing: 'first_come' } as const
    expect(withWindows([WEEK], none)).toEqual({ windows: [WEEK], sharing: 'shares' })
    expect(withWindows([WEEK, HOURS], { windows: [WEEK], sharing: 'first_come' })).toEqual({
      windows: [HOURS, WEEK],
      sharing: 'first_come',
    })
    expect(withWindows([], { windows: [WEEK], sharing: 'shares' })).toEqual(none)
  })
  test('are each once', () => {
    expect(changedWindow([HOURS, WEEK], 0, { amount: 7 })).toEqual([{ ...HOURS, amount: 7 }, WEEK])
    expect(changedWindow([HOURS, WEEK], 0, { window: { kind: 'week' } })).toBe(null)
  })
})

describe('the owner’s part', () => {
  test('is rounded up to whole asks, and never more than there is', () => {
    expect([50, 600, 1, 0].map(amount => reserveOf({ unit: 'asks', amount }, 12))).toEqual([6, 72, 1, 0])
    expect(reserveOf({ unit: 'money', amount: 20 }, 12)).toBe(2.4)
    expect(reserveOf({ unit: 'asks', amount: 50 }, 0)).toBe(0)
  })
  test('is taken before the others have theirs by weight', () => {
    const all = [
      { people: 4, weight: 4 },
      { people: 2, weight: 2 },
      { people: 2, weight: 1 },
    ]
    expect([4, 2, 1].map(weight => shareOf(HOURS, 12, weight, all))).toEqual([8, 4, 2])
    expect(shareOf(HOURS, 12, 1, [])).toBe(0)
  })
})
