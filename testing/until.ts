import { vi } from 'vitest'
import { PATIENCE } from './patience.ts'

/** Repeats the check until it does not throw, and returns its result. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE })
}
