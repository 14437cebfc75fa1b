import { describe, expect, test } from 'vitest'
import { changedCount, countedOf, UNBOUNDED } from './counts.ts'

const ofForty = { remaining: 31, allowed: 40 }

describe('a count that an administrator changes', () => {
  test('begins anew when it is set', () => {
    expect(changedCount(ofForty, { set: 40 })).toEqual({ remaining: 40, allowed: 40 })
    expect(changedCount(ofForty, { set: -1 })).toEqual(UNBOUNDED)
  })
  test('keeps what was used when more or less is allowed', () => {
    expect(changedCount(ofForty, { allow: 100 })).toEqual({ remaining: 91, allowed: 100 })
    expect(changedCount(ofForty, { allow: 10 })).toEqual({ remaining: 1, allowed: 10 })
    expect(changedCount(ofForty, { add: 100 })).toEqual({ remaining: 131, allowed: 140 })
  })
  test('has nothing left when less is allowed than was used', () => {
    expect(changedCount(ofForty, { allow: 9 })).toEqual({ remaining: 0, allowed: 9 })
    expect(changedCount(ofForty, { allow: 8 })).toEqual({ remaining: 0, allowed: 8 })
    expect(changedCount(ofForty, { allow: 0 })).toEqual({ remaining: 0, allowed: 0 })
  })
  test('that is unlimited has used nothing when it is bounded, and nothing is added to it', () => {
    expect(changedCount(UNBOUNDED, { allow: 5 })).toEqual({ remaining: 5, allowed: 5 })
    expect(changedCount(undefined, { allow: 5 })).toEqual({ remaining: 5, allowed: 5 })
    expect(changedCount(undefined, { add: 5 })).toEqual(UNBOUNDED)
    expect(changedCount(ofForty, { allow: -1 })).toEqual(UNBOUNDED)
  })
  test('is shown with what was used of what is allowed', () => {
    expect(countedOf(ofForty)).toEqual({ used: 9, allowed: 40, remaining: 31 })
    expect(countedOf(UNBOUNDED)).toEqual({ used: 0, allowed: -1, remaining: -1 })
  })
})
