export type Clock = {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds from any beginning; never goes back, for durations. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** "2026-11-29 22:08:44", as the clock on the wall shows it in a time zone. */
export function wallTimeOf(moment: number, time_zone: string): string {
  let format = formats.get(time_zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(time_zone, format)
  }
  return format.format(moment)
}

/**
 * The moment at which the clock on the wall shows a time, given as if it were one of UTC. The offset is computed twice,
 * because it may change between the first guess and the result.
 */
export function momentOfWall(wall: number, time_zone: string): number {
  const first = wall - aheadOfUtc(wall, time_zone)
  return wall - aheadOfUtc(first, time_zone)
}

const DAY = 86_400_000

/** The first moment from `moment` on at which the clock on the wall shows this full hour. */
export function nextHourOfWall(moment: number, hour: number, time_zone: string): number {
  const day = Date.parse(`${wallTimeOf(moment, time_zone).slice(0, 10)}T00:00:00Z`)
  const today = momentOfWall(day + hour * 3_600_000, time_zone)
  return today >= moment ? today : momentOfWall(day + DAY + hour * 3_600_000, time_zone)
}

/** Offset of a zone from UTC at a moment, in milliseconds. */
const aheadOfUtc = (moment: number, time_zone: string): number =>
  Date.parse(`${wallTimeOf(moment, time_zone).replace(' ', 'T')}Z`) - Math.floor(moment / 1000) * 1000
