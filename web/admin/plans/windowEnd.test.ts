import { describe, expect, test } from 'vitest'
import { windowEnd } from './windowEnd.ts'

/** A Wednesday, 23:30 in Shanghai. */
const NOW = new Date('2026-11-25T15:30:00Z')
const end = (kind: 'day' | 'week' | 'month' | 'ever', zone = 'Asia/Shanghai', now = NOW) =>
  windowEnd({ kind }, now, zone).toISOString()

describe('the end of a window', () => {
  test('is the next midnight of the portal, that of Monday, or of the first', () => {
    expect(end('day')).toBe('2026-11-25T16:00:00.000Z')
    expect(end('week')).toBe('2026-11-29T16:00:00.000Z')
    expect(end('month')).toBe('2026-11-30T16:00:00.000Z')
  })
  test('is a week away on a Monday', () => {
    expect(end('week', 'UTC', new Date('2026-11-30T00:00:00Z'))).toBe('2026-12-07T00:00:00.000Z')
  })
  test('follows the clocks where they change within it', () => {
    expect(end('week', 'Europe/Berlin', new Date('2026-10-21T12:00:00Z'))).toBe('2026-10-25T23:00:00.000Z')
  })
  test('is at half past where the zone has half hours', () => {
    expect(end('day', 'Asia/Kolkata')).toBe('2026-11-25T18:30:00.000Z')
  })
  test('of a length is that length away', () => {
    expect(windowEnd({ kind: 'rolling', seconds: 3_600 }, NOW, 'UTC').toISOString()).toBe('2026-11-25T16:30:00.000Z')
  })
})
