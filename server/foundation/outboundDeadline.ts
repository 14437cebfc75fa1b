import type { FailureKind } from './outboundFailure.ts'

/** Milliseconds. A timer of Node's that is set for longer rings at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/** A clock that is set for one phase after the other, and rings once. */
export function deadlineTimer(ring: (kind: FailureKind) => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    start(kind: FailureKind, after_ms: number): void {
      clearTimeout(timer)
      timer = setTimeout(ring, Math.min(after_ms, LONGEST_TIMER), kind)
    },
    /** The same time again from now on; cheaper than a new clock for each piece of a stream. */
    again(): void {
      timer?.refresh()
    },
    stop(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
