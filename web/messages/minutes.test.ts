import { afterEach, expect, test, vi } from 'vitest'
import { everyHalfMinute } from './minutes.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('all the times of a thread are told by one clock, which stops with the last of them', () => {
  vi.useFakeTimers()
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const stops = [everyHalfMinute(first), everyHalfMinute(second)]
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(60_000)
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([2, 2])
  stops[0]?.()
  vi.advanceTimersByTime(30_000)
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([2, 3])
  stops[1]?.()
  expect(vi.getTimerCount()).toBe(0)
})
