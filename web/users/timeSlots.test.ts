import { describe, expect, test } from 'vitest'
import { WHOLE_DAY, slotText, DAY_END } from '#contract/limits.ts'
import { coversWholeDay, isInside, minuteOfDay, spansOf } from './timeSlots.ts'

const NIGHT = { start_time: '22:00:00', end_time: '06:30:00' }
const MORNING = { start_time: '07:00:00', end_time: '11:00:00' }

describe('daily time slots', () => {
  test('an end of 23:59:59 means midnight', () => {
    expect(spansOf([WHOLE_DAY])).toEqual([{ from: 0, to: 1440 }])
    expect(coversWholeDay([WHOLE_DAY])).toBe(true)
    expect(slotText({ start_time: '13:00:00', end_time: '23:59:59' })).toBe('13:00–24:00')
  })
  test('a slot over midnight is two parts of the day', () => {
    expect(spansOf([NIGHT])).toEqual([
      { from: 1320, to: 1440 },
      { from: 0, to: 390 },
    ])
    expect(isInside([NIGHT], 0)).toBe(true)
    expect(isInside([NIGHT], 700)).toBe(false)
  })
  test('the end of a slot is outside of it', () => {
    expect(isInside([MORNING], 659)).toBe(true)
    expect(isInside([MORNING], 660)).toBe(false)
  })
  test('cover the whole day where the ends of one are equal, and where several do together', () => {
    const slot = (start_time: string, end_time: string) => ({ start_time, end_time })
    expect(coversWholeDay([slot('08:00:00', '08:00:00')])).toBe(true)
    expect(coversWholeDay([slot('12:00:00', DAY_END), slot('00:00:00', '12:00:00')])).toBe(true)
    expect(coversWholeDay([slot('12:00:00', DAY_END), slot('00:00:00', '11:00:00')])).toBe(false)
    expect(coversWholeDay([slot('22:00:00', '06:00:00')])).toBe(false)
  })

  test('no slots mean always', () => {
    expect(isInside([], 600)).toBe(true)
    expect(coversWholeDay([])).toBe(true)
  })
})

describe('the minute of the day', () => {
  test('is that of the time zone asked for', () => {
    const now = new Date('2026-11-20T16:05:00Z')
    expect(minuteOfDay(now, 'UTC')).toBe(965)
    expect(minuteOfDay(now, 'Asia/Shanghai')).toBe(5)
  })
})
