import type { FailureKind } from './outboundFailure.ts'

/** A clock that is set for one phase after the other, and rings once. */
export function deadlineTimer(ring: (kind: FailureKind) => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    start(kind: FailureKind, after_ms: number): void {
      clearTimeout(timer)
      timer = setTimeout(ring, after_ms, kind)
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
