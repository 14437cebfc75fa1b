import { describe, expect, test } from 'vitest'
import { systemClock } from './clock.ts'
import { newId, randomToken } from './ids.ts'

describe('an id', () => {
  test('is a UUID of version 7, each its own', () => {
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(newId()).not.toBe(newId())
  })
  test('begins with the time, in milliseconds', () => {
    const before = Date.now()
    const time = parseInt(newId().replace('-', '').slice(0, 12), 16)
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
  })
})

describe('a token', () => {
  test('has 32 bytes unless told otherwise, in letters a URL and a cookie take', () => {
    expect(randomToken()).toMatch(/^[\w-]{43}$/)
    expect(randomToken(6)).toMatch(/^[\w-]{8}$/)
    expect(randomToken()).not.toBe(randomToken())
  })
})

describe('the clock of the system', () => {
  test('tells epoch milliseconds, and durations that never go back', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000)
    const before = systemClock.monotonic()
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before)
  })
})
