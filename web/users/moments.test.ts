import { describe, expect, test } from 'vitest'
import { momentText } from './moments.ts'

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
