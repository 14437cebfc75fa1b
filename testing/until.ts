import { vi } from 'vitest'

/** Milliseconds. Only what hangs takes as long; a machine with other work may take a while. */
const PATIENCE = 15_000

/** Waits until the check no longer throws, and gives what it gave. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE })
}
