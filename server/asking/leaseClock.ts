import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { timeOfDatabase } from '#server/foundation/database/time.ts'

export type LeaseClock = { now(): number; set(): Promise<void> }

/**
 * The time by which leases are given and end: the database's, where it has one. Processes whose clocks are apart would take each
 * other's asks for abandoned.
 */
export function leaseClock(open: OpenDatabase, clock: Clock): LeaseClock {
  let ahead = 0
  return {
    now: () => clock.now() + ahead,
    /** Looks at the database's clock. On the way there and back at most as much is lost. */
    async set(): Promise<void> {
      const before = clock.now()
      const there = await timeOfDatabase(open)
      if (there !== null) ahead = Math.round(there - (before + clock.now()) / 2)
    },
  }
}
