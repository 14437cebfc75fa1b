import { MAX_QUIET_DAYS, QUIET_HOUR } from '#contract/quietAsks.ts'
import { nextHourOfWall } from '#server/foundation/clock.ts'
import { Refusal } from '#server/foundation/refusal.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The next morning; the one after it where that is less than an hour away. */
export const nextMorning = (now: number, time_zone: string): number => nextHourOfWall(now + HOUR, QUIET_HOUR, time_zone)

/** Until when an ask waits for quiet: as it was asked, within bounds; the next morning where nothing was said. */
export function quietUntil(asked: string | null, now: number, time_zone: string): number {
  if (asked === null) return nextMorning(now, time_zone)
  const until = Date.parse(asked)
  if (until > now && until <= now + MAX_QUIET_DAYS * DAY) return until
  throw new Refusal('invalidAskRequest', { field: 'quiet_until', days: MAX_QUIET_DAYS })
}
