import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contract/preferences.ts'
import { formatDate, formatDateTime, formatMonth, formatTimeOfDay } from './times.ts'

const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 9, 7, 5))

describe.each(LANGUAGES)('in %s', language => {
  test('a date is written as is usual in the language', () => {
    expect(MONTHS.map(time => formatDate(time, language))).toEqual(
      MONTHS.map(time => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(time)),
    )
  })
  test('a month is, too', () => {
    const inFull = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long' })
    expect(MONTHS.map(time => formatMonth(time, language))).toEqual(MONTHS.map(time => inFull.format(time)))
  })
})

test('a time of day is the same in every language, and follows the date', () => {
  expect(formatTimeOfDay(new Date(2026, 0, 1, 0, 0))).toBe('00:00')
  expect(formatDateTime(new Date(2026, 10, 20, 14, 20), 'zh-CN')).toBe('2026年11月20日 14:20')
})
