/** A hidden tab gets no frames; it is brought up to date this often, in milliseconds. */
const HIDDEN_INTERVAL = 250

/** Milliseconds to assume for an idle period where the browser has no requestIdleCallback. */
const IDLE = 10

/** Of the time, text takes at most a ninth; but it never waits longer for the next piece, in milliseconds. */
const REST = 8
const LONGEST_REST = 150

type Work = {
  /** Works out what is to be shown: a task of its own, so that the frame itself is short. */
  prepare(): void
  show(): void
}

/**
 * Turns in which text is prepared, and frames in which it is shown. Several times what both cost, with laying out and painting,
 * is left free before the next one: on a slow machine text comes in larger pieces, and the page goes on answering. The end is
 * not kept waiting.
 */
export function textFrames(atEnd: () => boolean): (work: Work) => () => void {
  let restUntil = 0
  return ({ prepare, show }) => {
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let prepared: number | null = null
    const inTask = () => {
      const started = performance.now()
      prepare()
      prepared = performance.now() - started
      // Asked for by a task of its own: a frame is as long as everything from what asked for it.
      timer = setTimeout(() => {
        frame = requestAnimationFrame(inFrame)
      }, 0)
    }
    const inFrame = () => {
      cancel()
      const started = performance.now() - (prepared ?? 0)
      if (prepared === null) prepare()
      show()
      // A timer's turn comes when this frame is painted.
      setTimeout(() => {
        const now = performance.now()
        restUntil = now + Math.min(LONGEST_REST, REST * (now - started))
      }, 0)
    }
    if (atEnd()) frame = requestAnimationFrame(inFrame)
    else timer = setTimeout(inTask, Math.max(0, restUntil - performance.now()))
    // The tab may be hidden, or become so while the frame is awaited.
    const hidden = setTimeout(inFrame, HIDDEN_INTERVAL)
    const cancel = () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      clearTimeout(hidden)
    }
    return cancel
  }
}

/** Runs when the next frame has been painted; in a hidden tab, which gets none, a while later. */
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

/** Resolves when the browser has nothing better to do: work behind it does not follow on what was done before. */
export function idle(): Promise<void> {
  return new Promise(resolve => {
    whenIdle(() => resolve())
  })
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

/** Runs in so many milliseconds; answers with the way to call it off. */
export function after(wait_ms: number, run: () => void): () => void {
  const timer = setTimeout(run, wait_ms)
  return () => clearTimeout(timer)
}
