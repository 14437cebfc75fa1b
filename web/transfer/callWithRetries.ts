import { RefusedCall, TransportFailure } from '#web/foundation/call.ts'

/**
 * Attempts of a call that gets no answer, and milliseconds of the pause after the first; each further pause is longer.
 */
const ATTEMPTS = 4
const PAUSE_MS = 1000

/**
 * Makes a call that may be repeated without harm: waits as long as a rate limit says, and tries again when the
 * connection fails.
 */
export async function callWithRetries<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const pause = pauseAfter(error, attempt)
      if (pause === null || signal.aborted) throw error
      await passed(pause, signal)
    }
  }
}

function pauseAfter(error: unknown, attempt: number): number | null {
  if (error instanceof RefusedCall && error.key === 'tooManyRequests')
    return Number(error.values['retry_after_seconds'] ?? 1) * 1000
  return error instanceof TransportFailure && attempt < ATTEMPTS ? attempt * PAUSE_MS : null
}

function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason)
      },
      { once: true },
    )
  })
}
