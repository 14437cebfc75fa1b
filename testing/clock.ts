import type { Clock } from '#server/foundation/clock.ts'

type TestClock = Clock & {
  /** Moves the clock forward. */
  pass(milliseconds: number): void
  set(time: number): void
}

/** A clock that stands still until it is moved; durations are real. */
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
