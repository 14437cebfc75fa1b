import { onTestFinished, vi } from 'vitest'

/** Idle time of the browser, none until the test gives it: other programs on the machine neither bring it nor take it away. */
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
    /** From now on as much as is asked for. */
    give(): void {
      isGiven = true
      for (const inTask of waiting.values()) inTask()
    },
  }
}
