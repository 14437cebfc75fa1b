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
