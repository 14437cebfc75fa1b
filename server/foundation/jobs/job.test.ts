import { describe, expect, test } from 'vitest'
import { Refusal } from '../refusal.ts'
import { isDue, jobErrorOf, MAX_FAILURES, type Outcome, pauseAfter, pauseUntilNext, requireKept } from './job.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const once = { every: undefined, pause_ms: 30_000 }
const hourly = { every: HOUR, pause_ms: 30_000 }
const failed = (isFinal = false): Outcome => ({ outcome: 'failed', error: { message: 'x' }, isFinal })

describe('a job is due', () => {
  const waiting = (next_run: number | null, lease_until: number | null = null) => ({ next_run, lease_until })

  test('when its time has come', () => {
    expect(isDue(waiting(NOW), undefined, NOW)).toBe(true)
    expect(isDue(waiting(NOW + 1), undefined, NOW)).toBe(false)
  })
  test('never, when it has no time', () => {
    expect(isDue(waiting(null), HOUR, NOW)).toBe(false)
  })
  test('when the lease of who ran it is over, and not before', () => {
    expect(isDue(waiting(NOW, NOW + 1), HOUR, NOW)).toBe(false)
    expect(isDue(waiting(NOW, NOW), HOUR, NOW)).toBe(true)
  })
  test('when its time is further ahead than its period, by more than clocks differ: the clock was set back, or the period is shorter now', () => {
    expect(isDue(waiting(NOW + HOUR + MINUTE), HOUR, NOW)).toBe(false)
    expect(isDue(waiting(NOW + HOUR + MINUTE + 1), HOUR, NOW)).toBe(true)
  })
  test('without a period, when its time is further ahead than the longest pause', () => {
    expect(isDue(waiting(NOW + HOUR + MINUTE), undefined, NOW)).toBe(false)
    expect(isDue(waiting(NOW + HOUR + MINUTE + 1), undefined, NOW)).toBe(true)
  })
})

describe('the pause after a failure', () => {
  test('doubles up to an hour', () => {
    expect([1, 2, 3, 8, 5_000].map(failures => pauseAfter(failures, once))).toEqual([
      30_000,
      60_000,
      120_000,
      HOUR,
      HOUR,
    ])
  })
  test('is no longer than the period', () => {
    expect(pauseAfter(9, { every: 50_000, pause_ms: 30_000 })).toBe(50_000)
  })
})

describe('the next run', () => {
  test('of a periodic job comes after its period, or after the pause when it failed, however often', () => {
    expect(pauseUntilNext({ outcome: 'finished', result: null }, 0, hourly)).toBe(HOUR)
    expect(pauseUntilNext({ outcome: 'stopped' }, 0, hourly)).toBe(HOUR)
    expect(pauseUntilNext(failed(true), 1, hourly)).toBe(30_000)
    expect(pauseUntilNext(failed(), 1_000, hourly)).toBe(HOUR)
  })
  test('of another job comes when it failed, unless that is final or was the last of its failures', () => {
    expect(pauseUntilNext({ outcome: 'finished', result: null }, 0, once)).toBe(null)
    expect(pauseUntilNext({ outcome: 'stopped' }, 0, once)).toBe(null)
    expect(pauseUntilNext(failed(), MAX_FAILURES - 1, once)).toBe(240_000)
    expect(pauseUntilNext(failed(), MAX_FAILURES, once)).toBe(null)
    expect(pauseUntilNext(failed(true), 1, once)).toBe(null)
  })
})

describe('the error of a job', () => {
  test('is the refusal where there is one', () => {
    expect(jobErrorOf(new Refusal('openai.500', { status: 502 }))).toEqual({
      refusal: 'openai.500',
      values: { status: 502 },
    })
  })
  test('is one that can be stored: without secrets, bounded, without characters that no database keeps', () => {
    expect(jobErrorOf(new TypeError('at http://me:secret@host/?key=1'))).toEqual({
      message: 'TypeError: at http://me:***@host/?***',
    })
    const { message } = jobErrorOf(`${'😀'.repeat(249)}a😀\0`) as { message: string } // no refusal
    expect(message).toHaveLength(499)
    expect(message.isWellFormed()).toBe(true)
    expect(jobErrorOf('a\0b')).toEqual({ message: 'a\uFFFDb' })
  })
})

test('what is kept of a job is bounded', () => {
  requireKept('x'.repeat(9_998), 'input')
  expect(() => requireKept('x'.repeat(9_999), 'input')).toThrow('the input of a job has at most 10000 characters')
})
