import type { Clock } from '#server/foundation/clock.ts'

export type TestClock = Clock & {
  /** Time passes. */
  pass(milliseconds: number): void
  set(time: number): void
}

/** A clock that stands still until it is told otherwise; durations go on as they do. */
export function testClock(start: number = Date.now()): TestClock {
  let time = start
  return {
    now: () => time,
    monotonic: () => performance.now(),
    pass: milliseconds => {
      time += milliseconds
    },
    set: moment => {
      time = moment
    },
  }
}
