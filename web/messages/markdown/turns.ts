/** A hidden tab gets no frames; it is brought up to date this often, in milliseconds. */
const HIDDEN_INTERVAL = 250

/** Milliseconds to take for something idle where the browser does not say. */
const IDLE = 10

/** Of the time, text takes at most a seventh; but it never waits longer for the next piece, in milliseconds. */
const REST = 6
const LONGEST_REST = 120

/**
 * Frames in which to show text. Several times what a frame cost, with laying out and painting, is left free before the next
 * one is used: on a slow machine text comes in larger pieces, and the page goes on answering. The end is not kept waiting.
 */
export function textFrames(atEnd: () => boolean): (run: () => void) => () => void {
  let restUntil = 0
  const measured = (run: () => void) => {
    const started = performance.now()
    run()
    // A timer's turn comes when this frame is painted.
    setTimeout(() => {
      const now = performance.now()
      restUntil = now + Math.min(LONGEST_REST, REST * (now - started))
    }, 0)
  }
  return run => {
    let frame = 0
    const go = () => {
      cancel()
      measured(run)
    }
    const rest = atEnd() ? 0 : restUntil - performance.now()
    const ask = () => { frame = requestAnimationFrame(go) }
    const resting = rest > 0 ? setTimeout(ask, rest) : void ask()
    // The tab may be hidden, or become so while the frame is awaited.
    const hidden = setTimeout(go, HIDDEN_INTERVAL)
    const cancel = () => {
      cancelAnimationFrame(frame)
      clearTimeout(resting)
      clearTimeout(hidden)
    }
    return cancel
  }
}

/** Resolves when the browser has nothing better to do: work behind it does not follow on what was done before. */
export function idle(): Promise<void> {
  return new Promise(resolve => { whenIdle(() => resolve()) })
}

/** Runs when the browser has nothing better to do, and within a second or what is given; it is told how many milliseconds it may take. */
export function whenIdle(run: (left_ms: number) => void, within_ms = 1_000): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, 60, IDLE)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(deadline => run(deadline.timeRemaining()), { timeout: within_ms })
  return () => cancelIdleCallback(idle)
}
