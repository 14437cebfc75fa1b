import { describe, expect, test } from 'vitest'
import { aLine, aPool, aWindow, DAY, HOUR, lines, NOW } from './pool.testing.ts'
import type { PoolWindow } from './pool.ts'
import { poolSpan } from './poolSpan.ts'
import { poolShares } from './shareRule.ts'

const FROM_FIRST = { kind: 'from_first', seconds: 18_000 } as const
const endOf = (window: PoolWindow, opened_at?: number, now = NOW) => {
  const openings = new Map(opened_at === undefined ? [] : [[window.key, opened_at]])
  return poolSpan(aPool({ windows: [window], openings }), window, now).ends
}
const usedOf = (window: PoolWindow, given: Parameters<typeof aPool>[0] = {}) =>
  poolShares(aPool({ windows: [window], ...given }), 'window')?.used

describe('a window', () => {
  test('that begins with the first ask is open for its length', () => {
    const window = aWindow({ window: FROM_FIRST })
    expect(endOf(window)).toBe(null)
    expect(endOf(window, NOW - HOUR)).toBe(NOW + 4 * HOUR)
    expect(endOf(window, NOW - 5 * HOUR)).toBe(null)
  })
  test('ends when the account says, early or late', () => {
    const reported = { used: null, at: NOW - HOUR, ends_at: NOW + 2 * HOUR }
    expect(endOf(aWindow({ window: FROM_FIRST, reported }), NOW - HOUR)).toBe(NOW + 2 * HOUR)
    expect(endOf(aWindow({ window: FROM_FIRST, reported }), NOW - HOUR, NOW + 2 * HOUR)).toBe(null)
    expect(endOf(aWindow({ window: { kind: 'day' }, reported }))).toBe(NOW + 2 * HOUR)
    expect(endOf(aWindow({ window: { kind: 'day' }, reported }), undefined, NOW + 2 * HOUR)).toBe(NOW + 16 * HOUR)
  })
  test('is not moved by nonsense', () => {
    const reported = { used: null, at: NOW, ends_at: NOW + 900 * DAY }
    expect(endOf(aWindow({ window: { kind: 'week' }, reported }))).toBe(NOW - 8 * HOUR + 7 * DAY)
  })
  test('that reset early counts nothing of before', () => {
    const reported = { used: null, at: NOW, ends_at: NOW + 5 * HOUR }
    const given = { lines: lines(1, 4, HOUR), openings: new Map([['window', NOW - 3 * HOUR]]) }
    expect(usedOf(aWindow({ window: FROM_FIRST }), given)).toBe(4000)
    expect(usedOf(aWindow({ window: FROM_FIRST, reported }), given)).toBe(0)
  })
})

describe('what the account says is used', () => {
  const given = { lines: lines(1, 4, HOUR), running: [aLine(2, 60_000)] }
  test('counts beyond what was asked here: somebody asks it elsewhere', () => {
    const reported = { used: 7000, at: NOW - 30_000, ends_at: null }
    expect(usedOf(aWindow({ reported }), given)).toBe(7000)
    expect(usedOf(aWindow({ reported }), { ...given, running: [aLine(2, 60_000), aLine(2, 0)] })).toBe(8000)
  })
  test('is less than what was asked here as long as answers are under way', () => {
    expect(usedOf(aWindow({ reported: { used: 2000, at: NOW, ends_at: null } }), given)).toBe(5000)
  })
  test('is forgotten when the window has passed', () => {
    const reported = { used: 7000, at: NOW - 5 * HOUR, ends_at: null }
    expect(usedOf(aWindow({ reported }), given)).toBe(5000)
  })
})
