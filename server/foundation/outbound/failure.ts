import { subscribe } from 'node:diagnostics_channel'
import { errors } from 'undici'

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
    /**
     * The same time again from now on. Only noted: a timer set anew for each piece of a stream costs more than reading
     * it.
     */
    again(): void {
      began = performance.now()
    },
    stop(): void {
      clear()
    },
  }
}

/**
 * Connections that have carried a request; one that carries another was kept, since a failed exchange closes its own.
 */
const used = new WeakSet<object>()

let waiting: ((isOnKept: boolean) => void) | null = null

// A dispatcher does not say which connection it takes. This channel of undici does, in the same turn in which the
// exchange hears that it starts.
subscribe('undici:client:sendHeaders', message => {
  // As undici documents it.
  const { socket } = message as { socket: object }
  waiting?.(used.has(socket))
  waiting = null
  used.add(socket)
})

/** Says of the request that starts just now whether it goes out on a connection that was kept from an earlier one. */
export function whenSent(listener: (isOnKept: boolean) => void): void {
  waiting = listener
}

/** A connection that had been kept was lost before anything of an answer came. */
export class StaleConnection extends OutboundFailure {
  constructor(options: ErrorOptions) {
    super('network', options)
  }
}

/**
 * Sends a request once more when its connection was stale: that may have been closed before the request reached
 * anybody, while on a connection of its own the other side has read it. The second attempt has what is left of the
 * time.
 */
export async function retryStale<T>(
  total_timeout_ms: number,
  send: (total_timeout_ms: number) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  try {
    return await send(total_timeout_ms)
  } catch (failure) {
    if (!(failure instanceof StaleConnection)) throw failure
    return send(Math.max(1, total_timeout_ms - (performance.now() - began)))
  }
}

export function isLostConnection(cause: unknown): boolean {
  return cause instanceof errors.SocketError || codeOf(cause) === 'ECONNRESET' || codeOf(cause) === 'EPIPE'
}

export const isConnectTimeout = (cause: unknown): boolean => codeOf(cause) === 'UND_ERR_CONNECT_TIMEOUT'

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : null
}
