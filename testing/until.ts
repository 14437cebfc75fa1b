import { vi } from 'vitest'
import { PATIENCE } from './patience.ts'

/** Waits until the check no longer throws, and gives what it gave. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE })
}
