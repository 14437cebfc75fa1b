import { RefusedCall, TransportFailure } from '#web/foundation/call.ts'

/** How often a call is made again that was not answered, and the pause before it in milliseconds. */
const TRIES = 4
const PAUSE_MS = 1000

/** One of many calls: waits when there were too many, and tries again when the connection fails. What it does may be done twice. */
export async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const pause = pauseAfter(error, tries)
      if (pause === null || signal.aborted) throw error
      await passed(pause, signal)
    }
  }
}

function pauseAfter(error: unknown, tries: number): number | null {
  if (error instanceof RefusedCall && error.key === 'tooManyRequests')
    return Number(error.values['retry_after_seconds'] ?? 1) * 1000
  return error instanceof TransportFailure && tries < TRIES ? tries * PAUSE_MS : null
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
