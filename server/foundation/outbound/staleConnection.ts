import { subscribe } from 'node:diagnostics_channel'
import { errors } from 'undici'
import { OutboundFailure } from './failure.ts'

/** Connections that have carried a request; one that carries another was kept, since a failed exchange closes its own. */
const used = new WeakSet<object>()

let waiting: ((isOnKept: boolean) => void) | null = null

// A dispatcher does not say which connection it takes. This channel of undici does, in the same turn in which the exchange hears that it starts.
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
 * Sends a request once more when its connection was stale: that may have been closed before the request reached anybody, while on a
 * connection of its own the other side has read it. The second attempt has what is left of the time.
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
