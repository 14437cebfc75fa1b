import { describe, expect, test } from 'vitest'
import { aModel, ofApi } from './builders.testing.ts'
import { remainingOf } from './remaining.ts'

const window = (window_seconds: number, max_requests: number, used: number) => ({
  window_seconds,
  max_requests,
  used,
  frees_at: null,
})

describe('what remains', () => {
  test('of nothing that is bounded is not told', () => {
    expect(remainingOf(ofApi(), 'gpt_4')).toBe(null)
  })
  test('is the least of the model’s count and the total', () => {
    const of = ofApi({ models: [aModel('gpt_4', undefined, 12)], total: { used: 8, allowed: 20, remaining: 12 } })
    expect(remainingOf(of, 'gpt_4')).toEqual({ count: 12, window_seconds: null, frees_at: null })
    expect(remainingOf({ ...of, total: { used: 17, allowed: 20, remaining: 3 } }, 'gpt_4')?.count).toBe(3)
  })
  test('is that of a window which leaves fewer, and names it', () => {
    const of = ofApi({
      models: [aModel('gpt_4', undefined, 12)],
      windows: [window(86_400, 40, 10), window(3600, 10, 9)],
    })
    expect(remainingOf(of, 'gpt_4')).toMatchObject({ count: 1, window_seconds: 3600 })
  })
  test('of a window that was made smaller than its use is nothing', () => {
    expect(remainingOf(ofApi({ windows: [window(3600, 5, 9)] }), 'gpt_4')?.count).toBe(0)
  })
})
