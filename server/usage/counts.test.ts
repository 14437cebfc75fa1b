import { describe, expect, test } from 'vitest'
import { changedCount, countedOf, remainingOf, UNBOUNDED } from './counts.ts'

const ofForty = { allowed: 40, used: 9 }

describe('a count that an administrator changes', () => {
  test('begins anew when it is set', () => {
    expect(changedCount(ofForty, { set: 40 })).toEqual({ allowed: 40, used: 0 })
    expect(changedCount(ofForty, { set: -1 })).toEqual(UNBOUNDED)
  })
  test('keeps what was used when more or less is allowed', () => {
    expect(changedCount(ofForty, { allow: 100 })).toEqual({ allowed: 100, used: 9 })
    expect(changedCount(ofForty, { allow: 10 })).toEqual({ allowed: 10, used: 9 })
    expect(changedCount(ofForty, { add: 100 })).toEqual({ allowed: 140, used: 9 })
  })
  test('has nothing left when less is allowed than was used, and forgets nothing of it', () => {
    const less = changedCount(ofForty, { allow: 8 })
    expect([less, remainingOf(less)]).toEqual([{ allowed: 8, used: 9 }, 0])
    expect(remainingOf(changedCount(less, { allow: 12 }))).toBe(3)
  })
  test('that is unlimited has nothing added to it, and has used nothing that was not counted', () => {
    expect(changedCount(UNBOUNDED, { allow: 5 })).toEqual({ allowed: 5, used: 0 })
    expect(changedCount(undefined, { allow: 5 })).toEqual({ allowed: 5, used: 0 })
    expect(changedCount(undefined, { add: 5 })).toEqual(UNBOUNDED)
    expect(remainingOf(changedCount(ofForty, { allow: -1 }))).toBe(-1)
  })
  test('is shown with what was used of what is allowed', () => {
    expect(countedOf(ofForty)).toEqual({ used: 9, allowed: 40, remaining: 31 })
    expect(countedOf(UNBOUNDED)).toEqual({ used: 0, allowed: -1, remaining: -1 })
  })
})
