import type { LimitWindow } from '#contract/plans.ts'

const DAY = 86_400_000

/** When what was used in a window counts no more, by the clock of the portal's zone. One without an end: in a month. */
export function windowEnd(window: LimitWindow, now: Date, zone: string): Date {
  if ('seconds' in window) return new Date(now.getTime() + window.seconds * 1_000)
  const { year, month, day, weekday } = wallDate(now, zone)
  switch (window.kind) {
    case 'day':
      return midnight(year, month, day + 1, zone)
    case 'week':
      return midnight(year, month, day + 7 - weekday, zone)
    case 'month':
      return midnight(year, month + 1, 1, zone)
    case 'ever':
      return new Date(now.getTime() + 30 * DAY)
  }
}

/** `weekday`: 0 is Monday. */
function wallDate(time: Date, zone: string) {
  const [year = 0, month = 1, day = 1] = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
    .format(time)
    .split('-')
    .map(Number)
  return { year, month: month - 1, day, weekday: (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7 }
}

/** A day that begins later, since its clocks change at midnight, begins then. */
function midnight(year: number, month: number, day: number, zone: string): Date {
  const wall = Date.UTC(year, month, day)
  const first = wall - offsetOf(new Date(wall), zone)
  return new Date(wall - offsetOf(new Date(first), zone))
}

/** Milliseconds by which the clocks of the zone are ahead of UTC. */
function offsetOf(time: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time)
  const part = (type: string) => Number(parts.find(each => each.type === type)?.value ?? 0)
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return wall - Math.floor(time.getTime() / 1_000) * 1_000
}
