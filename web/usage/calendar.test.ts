import { describe, expect, test } from 'vitest'
import { aUsedRow } from './builders.testing.ts'
import { axisEnd, columnsOf, dayIn, endOfDay, endOfMonthOf, modelsOfMonth, mondayOf, sundayOf } from './calendar.ts'

const TODAY = '2026-11-20' // a Friday

describe('a day of a time zone', () => {
  test('is that of its clock', () => {
    expect(dayIn(new Date('2026-11-19T16:00:00Z'), 'Asia/Shanghai')).toBe(TODAY)
    expect(dayIn(new Date('2026-11-19T16:00:00Z'), 'America/New_York')).toBe('2026-11-19')
  })
  test.each([
    ['Asia/Shanghai', '2026-11-20', '2026-11-20T16:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-20', '2026-11-20T18:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-25T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-28', '2026-03-28T23:00:00.000Z'],
  ])('ends at midnight in %s: %s', (zone, day, end) => {
    expect(endOfDay(day, zone).toISOString()).toBe(end)
  })
  test('is in a week from Monday to Sunday, and in a month', () => {
    expect([mondayOf(TODAY), sundayOf(TODAY), endOfMonthOf(TODAY)]).toEqual(['2026-11-16', '2026-11-22', '2026-11-30'])
    expect([mondayOf('2026-11-22'), mondayOf('2026-11-16')]).toEqual(['2026-11-16', '2026-11-16'])
    expect(endOfMonthOf('2028-02-01')).toBe('2028-02-29')
  })
})

describe('columns of asks', () => {
  const rows = [
    aUsedRow({ day: '2026-11-16', asks: 2 }),
    aUsedRow({ day: TODAY, asks: 3 }),
    aUsedRow({ day: TODAY, asks: 1, source: 'openai_web' }),
    aUsedRow({ day: '2026-11-15', asks: 5 }),
    aUsedRow({ day: '2026-08-01', asks: 9 }),
  ]
  test('are the last twelve weeks, the present one at the end', () => {
    const columns = columnsOf(rows, TODAY, 'weeks')
    expect(columns).toHaveLength(12)
    expect(columns[0]?.start).toBe('2026-08-31')
    expect(columns.slice(-2)).toEqual([
      { start: '2026-11-09', asks: { openai_web: 0, openai_api: 5 } },
      { start: '2026-11-16', asks: { openai_web: 1, openai_api: 5 } },
    ])
  })
  test('or the last twelve months', () => {
    const columns = columnsOf(rows, TODAY, 'months')
    expect([columns[0]?.start, columns.at(-1)?.start]).toEqual(['2025-12', '2026-11'])
    expect(columns.find(({ start }) => start === '2026-08')?.asks.openai_api).toBe(9)
  })
  test.each([
    [0, 3],
    [3, 3],
    [4, 6],
    [31, 60],
    [89, 90],
    [100, 120],
  ])('have an axis of three round steps: %d up to %d', (highest, end) => {
    expect(axisEnd(highest)).toBe(end)
  })
})

describe('the models of a month', () => {
  test('are added up, the most asked first, without other months', () => {
    const rows = [
      aUsedRow({ model: 'gpt_4', asks: 1, tokens: 10, money: 0.1 }),
      aUsedRow({ model: 'gpt_4', asks: 1, tokens: 5, money: 0.2, day: '2026-11-01', estimated: true }),
      aUsedRow({ model: 'gpt_3_5', asks: 7 }),
      aUsedRow({ model: 'gpt_3_5', asks: 70, day: '2026-10-31' }),
    ]
    expect(modelsOfMonth(rows, TODAY)).toMatchObject([
      { model: 'gpt_3_5', asks: 7 },
      { model: 'gpt_4', asks: 2, tokens: 15, estimated: true },
    ])
  })
})
