import { describe, expect, test } from 'vitest'
import { calendarDay } from '#web/admin/shell/times.ts'
import { afterStep, endingOf, endOfDay } from './ValidityField.tsx'

const now = new Date('2026-01-31T10:00:00Z')

describe('a quick step of the validity', () => {
  test('goes on from an end that is still to come', () => {
    expect(afterStep('2026-03-01T00:00:00.000Z', 'week', now)).toBe('2026-03-08T00:00:00.000Z')
  })
  test('begins now where the end has passed, or there is none', () => {
    expect(afterStep('2025-03-01T00:00:00.000Z', 'day', now)).toBe('2026-02-01T10:00:00.000Z')
    expect(afterStep(null, 'day', now)).toBe('2026-02-01T10:00:00.000Z')
  })
  test('of a month ends with the last day of a shorter one', () => {
    expect(calendarDay(new Date(afterStep(null, 'month', now) ?? ''))).toBe('2026-02-28')
  })
  test('now is over at once, and for ever has no end', () => {
    expect(endingOf(afterStep(null, 'now', now), now).kind).toBe('over')
    expect(afterStep('2026-03-01T00:00:00.000Z', 'forever', now)).toBe(null)
  })
})

describe('a date that is chosen', () => {
  test('is included', () => {
    const end = endOfDay('2026-12-31') ?? ''
    expect(calendarDay(new Date(end))).toBe('2026-12-31')
    expect(new Date(Date.parse(end) + 1000).getDate()).toBe(1)
  })
  test.each(['', '2026-02-30', '2026-13-01', '26-1-1', 'soon'])('%s is none', text => {
    expect(endOfDay(text)).toBe(null)
  })
  test('within seven days is marked', () => {
    expect(endingOf('2026-02-07T10:00:00Z', now)).toEqual({ kind: 'soon', days: 7 })
    expect(endingOf('2026-02-07T10:00:01Z', now)).toEqual({ kind: 'later', days: 8 })
  })
})
