import { describe, expect, test } from 'vitest'
import { meterLook } from './UsageMeter.tsx'

describe('a meter of what is used', () => {
  test('has a tick for each allowed question, joined up to 20', () => {
    expect(meterLook(7, 10)).toEqual({ ticks: 10, filled: 7, form: 'blocks', tone: 'calm' })
    expect(meterLook(28, 40)).toEqual({ ticks: 40, filled: 28, form: 'ticks', tone: 'calm' })
  })
  test('is proportional above 60', () => {
    expect(meterLook(198, 500)).toEqual({ ticks: 50, filled: 20, form: 'ticks', tone: 'calm' })
  })
  test('always shows the first used and the last remaining one', () => {
    expect(meterLook(1, 500).filled).toBe(1)
    expect(meterLook(499, 500).filled).toBe(49)
  })
  test('turns amber at 80 % and red when it is full', () => {
    expect(meterLook(8, 10).tone).toBe('warm')
    expect(meterLook(10, 10)).toMatchObject({ filled: 10, tone: 'full' })
  })
  test('of one question is empty or full', () => {
    expect([meterLook(0, 1), meterLook(1, 1)].map(({ filled, tone }) => [filled, tone])).toEqual([
      [0, 'calm'],
      [1, 'full'],
    ])
  })
  test('with none allowed is full', () => {
    expect(meterLook(0, 0)).toMatchObject({ ticks: 1, filled: 1, tone: 'full' })
  })
})
