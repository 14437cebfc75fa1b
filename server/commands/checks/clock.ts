import { userStore } from '#server/accounts/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { timeOfDatabase } from '#server/foundation/database/time.ts'
import { type Finding, good, wrong } from './finding.ts'

/** A clock before this time is certainly wrong. */
const EARLIEST = Date.parse('2026-01-01T00:00:00Z')
/** Milliseconds. A larger difference would make limits and sessions wrong. */
const MOST_APART = 30_000

const MEND = 'Let the machine keep its clock by NTP, for example: timedatectl set-ntp true'

/**
 * Limits and sessions use the clock of the process, which must be the same for all processes on one database. Leases use the database's.
 */
export async function checkClock(open: OpenDatabase | null, clock: Clock): Promise<Finding> {
  const now = clock.now()
  const shown = new Date(now).toISOString()
  if (now < EARLIEST) return wrong('clock', `it says ${shown}`, MEND)
  if (open === null) return good('clock', shown)
  const latest = await userStore(open.database).latestActivity()
  if (latest !== null && latest - now > MOST_APART) {
    return wrong('clock', `it says ${shown}, but somebody was here at ${new Date(latest).toISOString()}`, MEND)
  }
  const there = await timeOfDatabase(open)
  if (there === null) return good('clock', shown)
  const apart = Math.abs(there - clock.now())
  return apart <= MOST_APART
    ? good('clock', `${shown}, as on the database server`)
    : wrong('clock', `${Math.round(apart / 1_000)} seconds from the database server's`, MEND)
}
