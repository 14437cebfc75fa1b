import { vi } from 'vitest'
import { PATIENCE } from './patience.ts'

/** Repeats the check until it does not throw, and returns its result. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE })
}

/** The same while timers are faked: those that are due run before each check, and no time passes. */
export function untilInFakeTime<T>(check: () => T | Promise<T>): Promise<T> {
  return until(async () => {
    await vi.advanceTimersByTimeAsync(0)
    return check()
  })
}
