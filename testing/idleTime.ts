import { onTestFinished, vi } from 'vitest'

/**
 * Replaces the idle time of the browser: none until the test gives it, so that the load of the machine has no
 * influence.
 */
export function idleTime(): { give(): void } {
  const waiting = new Map<number, () => void>()
  let requests = 0
  let isGiven = false
  vi.stubGlobal('requestIdleCallback', (run: IdleRequestCallback) => {
    const request = ++requests
    const inTask = () =>
      void setTimeout(() => waiting.delete(request) && run({ didTimeout: false, timeRemaining: () => 50 }))
    waiting.set(request, inTask)
    if (isGiven) inTask()
    return request
  })
  vi.stubGlobal('cancelIdleCallback', (request: number) => void waiting.delete(request))
  onTestFinished(() => void vi.unstubAllGlobals())
  return {
    /** Gives as much as is asked for from now on. */
    give(): void {
      isGiven = true
      for (const inTask of waiting.values()) inTask()
    },
  }
}
