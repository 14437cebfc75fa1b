type FailureKind =
  | 'connect'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'idle_timeout'
  | 'total_timeout'
  | 'aborted'
  | 'network'
  | 'address'
  | 'unpacking'

/** Why there is no answer, or not all of it. The text names no address: it may be somebody's own, or hold a key. */
export class OutboundFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, options?: ErrorOptions) {
    super(`outbound request: ${kind.replaceAll('_', ' ')}`, options)
    this.name = 'OutboundFailure'
    this.kind = kind
  }
}

/** Milliseconds. A timer of Node's that is set for longer rings at once. */
const MAX_TIMER = 2 ** 31 - 1

/** A clock that is set for one phase after the other, and rings once. */
export function deadlineTimer(ring: (kind: FailureKind) => void) {
  let timer: NodeJS.Timeout | undefined
  let overdue: NodeJS.Immediate | undefined
  let phase: FailureKind
  let lasts_ms = 0
  let began = 0

  const wake = (after_ms: number): void => {
    timer = setTimeout(look, after_ms)
  }
  const leftOfPhase = (): number => began + lasts_ms - performance.now()
  const look = (): void => {
    const left_ms = leftOfPhase()
    if (left_ms > 0) wake(left_ms)
    // A process that was held up finds its timers first and then what has arrived meanwhile, which is no silence.
    else overdue = setImmediate(ringUnlessContinued)
  }
  const ringUnlessContinued = (): void => {
    if (leftOfPhase() > 0) look()
    else ring(phase)
  }
  const clear = (): void => {
    clearTimeout(timer)
    clearImmediate(overdue)
  }
  return {
    start(kind: FailureKind, after_ms: number): void {
      clear()
      phase = kind
      lasts_ms = Math.min(after_ms, MAX_TIMER)
      began = performance.now()
      wake(lasts_ms)
    },
    /** The same time again from now on. Only noted: a timer set anew for each piece of a stream costs more than reading it. */
    again(): void {
      began = performance.now()
    },
    stop(): void {
      clear()
    },
  }
}
