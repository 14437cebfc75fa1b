import { expect, onTestFinished, test, vi } from 'vitest'
import { Uuid } from '#contract/envelope.ts'
import { newId } from './newId.ts'

test('new ids are different UUIDs', () => {
  const ids = Array.from({ length: 200 }, newId)
  expect(ids.every(id => Uuid.safeParse(id).success)).toBe(true)
  expect(new Set(ids).size).toBe(200)
})

test('a later id sorts after an earlier one', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const first = newId()
  vi.advanceTimersByTime(1)
  expect(newId() > first).toBe(true)
})
