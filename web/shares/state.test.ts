import { describe, expect, test } from 'vitest'
import type { MyShare, ShareWindow } from '#contract/shares.ts'
import { aMyShare, aShare, aWindow } from './builders.testing.ts'
import { shareState, tightestWindow, waitsUntil } from './state.ts'

const NEXT = '2026-11-20T06:20:00.000Z'
const LATER = '2026-11-24T01:00:00.000Z'

const withMine = (mine: Partial<MyShare>, window: Partial<ShareWindow> = {}) =>
  aWindow({ used: mine.used ?? 0, ...window, mine: aMyShare(mine) })
const stateWith = (...windows: ShareWindow[]) => shareState(aShare({ windows }))

describe('how one stands with an account', () => {
  test('is normal while some of one’s own is left', () => {
    expect(stateWith(withMine({ used: 7 }))).toBe('normal')
  })
  test('is borrowing when it is used up, and there is something to borrow', () => {
    expect(stateWith(withMine({ used: 8, may_borrow: 1 }))).toBe('borrowing')
  })
  test('is waiting when there is nothing to borrow either', () => {
    expect(stateWith(withMine({ used: 8 }))).toBe('waiting')
    expect(stateWith(withMine({ used: 7.5, may_borrow: 0.5 }))).toBe('waiting')
  })
  test('is full when the account has nothing left, whoever used it', () => {
    expect(stateWith(withMine({ used: 2 }, { used: 50 }))).toBe('full')
  })
  test('is that of the worst window', () => {
    expect(stateWith(withMine({ used: 0 }), withMine({ used: 8 }, { window: { kind: 'week' } }))).toBe('waiting')
  })
  test('is normal for whoever only looks, until the account is full', () => {
    expect(stateWith(aWindow({ mine: null, used: 49 }))).toBe('normal')
    expect(stateWith(aWindow({ mine: null, used: 50 }))).toBe('full')
  })
  test('of money, a hundredth is something', () => {
    expect(stateWith(withMine({ share: 4, used: 3.99 }, { unit: 'money', capacity: 20 }))).toBe('normal')
  })
})

describe('the moment to wait for', () => {
  test('is when the next of one’s own comes in every window that refuses', () => {
    const short = withMine({ used: 8, next_own_at: NEXT })
    const long = withMine({ used: 8, next_own_at: LATER }, { window: { kind: 'week' } })
    expect(waitsUntil(aShare({ windows: [short, long] }))).toBe(LATER)
    expect(waitsUntil(aShare({ windows: [short, withMine({})] }))).toBe(NEXT)
  })
  test('is the end of a window that is not one’s own', () => {
    expect(waitsUntil(aShare({ windows: [aWindow({ mine: null, used: 50, ends_at: NEXT })] }))).toBe(NEXT)
  })
  test('is none where waiting does not help, or nothing refuses', () => {
    expect(waitsUntil(aShare({ windows: [withMine({ used: 8 })] }))).toBe(null)
    expect(waitsUntil(aShare())).toBe(null)
  })
})

describe('the window that speaks', () => {
  const week = (mine: Partial<MyShare>, fields: Partial<ShareWindow> = {}) =>
    withMine({ share: 96, ...mine }, { window: { kind: 'week' }, capacity: 600, ...fields })

  test('is the one that leaves the fewest asks', () => {
    const short = withMine({ used: 6, may_borrow: 4 })
    const long = week({ used: 61, may_borrow: 24 })
    expect(tightestWindow(aShare({ windows: [short, long] }))).toBe(short)
    const nearlyOver = week({ used: 95 })
    expect(tightestWindow(aShare({ windows: [short, nearlyOver] }))).toBe(nearlyOver)
  })
  test('is one that refuses before one that does not, and of those the later', () => {
    const short = withMine({ used: 8, next_own_at: NEXT })
    const long = week({ used: 96, next_own_at: LATER })
    expect(tightestWindow(aShare({ windows: [withMine({ used: 7 }), short] }))).toBe(short)
    expect(tightestWindow(aShare({ windows: [short, long] }))).toBe(long)
  })
  test('of several units is the one that leaves the smallest part', () => {
    const asks = withMine({ used: 1, may_borrow: 20 })
    const money = withMine({ share: 4, used: 3.5 }, { unit: 'money', capacity: 20 })
    expect(tightestWindow(aShare({ windows: [asks, money] }))).toBe(money)
  })
})
