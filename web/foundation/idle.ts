/** Milliseconds. A hidden tab gets no frames; it is updated this often. */
export const HIDDEN_INTERVAL = 250

/** Milliseconds to assume for an idle period where the browser has no requestIdleCallback. */
const IDLE_PERIOD = 10

/**
 * Runs once the next frame has been painted; in a hidden tab after HIDDEN_INTERVAL. Returns a function that cancels it.
 */
export function afterFrame(run: () => void): () => void {
  let timer = setTimeout(run, HIDDEN_INTERVAL)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    timer = setTimeout(run, 0)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** Resolves when the browser is idle, in a task of its own. */
export function idle(): Promise<void> {
  return new Promise(resolve => {
    whenIdle(() => resolve())
  })
}

/**
 * Runs when the browser is idle, at the latest after `within_ms`; gets the milliseconds it may take. Returns a function
 * that cancels it.
 */
export function whenIdle(run: (left_ms: number) => void, within_ms = 1_000): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, 60, IDLE_PERIOD)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(deadline => run(deadline.timeRemaining()), { timeout: within_ms })
  return () => cancelIdleCallback(request)
}

/** Runs after so many milliseconds. Returns a function that cancels it. */
export function after(wait_ms: number, run: () => void): () => void {
  const timer = setTimeout(run, wait_ms)
  return () => clearTimeout(timer)
}
