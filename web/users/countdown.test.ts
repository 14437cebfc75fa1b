import { describe, expect, test } from 'vitest'
import { countdownText, leftUntil } from './countdown.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')

describe('a countdown', () => {
  test('uses the server’s clock, not that of this device', () => {
    expect(leftUntil('2026-11-20T12:10:00Z', NOON, 0)).toBe(600_000)
    expect(leftUntil('2026-11-20T12:10:00Z', NOON - 3_600_000, 3_600_000)).toBe(600_000)
    expect(leftUntil('2026-11-20T12:10:00Z', NOON + 86_400_000, -86_400_000)).toBe(600_000)
  })
  test('is never negative', () => {
    expect(leftUntil('2026-11-20T11:59:59Z', NOON, 0)).toBe(0)
  })
  test('is shown in minutes and seconds, with hours where there are some', () => {
    expect(countdownText(754_000)).toBe('12:34')
    expect(countdownText(9000)).toBe('0:09')
    expect(countdownText(11_105_000)).toBe('3:05:05')
  })
  test('is rounded up, so that nobody comes too early', () => {
    expect(countdownText(1)).toBe('0:01')
    expect(countdownText(59_001)).toBe('1:00')
    expect(countdownText(0)).toBe('0:00')
  })
  test('of a day and more is not shown', () => {
    expect(countdownText(86_399_000)).toBe('23:59:59')
    expect(countdownText(86_400_000)).toBe(null)
  })
})
