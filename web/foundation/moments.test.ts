import { describe, expect, test } from 'vitest'
import { momentText, countdownText, leftUntil } from './moments.ts'

/** In the zone of whoever runs the tests, as the page does. */
const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 20)
const now = at(20, 12)
const text = (time: Date, language: 'zh-CN' | 'en-US' = 'zh-CN') => momentText(time.toISOString(), now, language)

describe('a moment', () => {
  test('of today is a time of day', () => {
    expect(text(at(20, 14))).toBe('14:20')
    expect(text(at(20, 0))).toBe('00:20')
  })
  test('of tomorrow says so', () => {
    expect(text(at(21, 0))).toBe('明天 00:20')
    expect(text(at(21, 23), 'en-US')).toBe('tomorrow 23:20')
  })
  test('of a later day names it, and another year', () => {
    expect(text(at(23, 7))).toBe('11月23日 07:20')
    expect(momentText(new Date(2027, 0, 5, 7, 0).toISOString(), now, 'en-US')).toBe('Jan 5, 2027 07:00')
  })
})

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
