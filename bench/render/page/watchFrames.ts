export type Smoothness = {
  frames: number
  /** Dropped frames; only when frames are counted. */
  dropped: number
  /** Number of tasks of 50 ms and more, and the longest. */
  long_tasks: number
  longest_task: number
  /** Number of frames of 50 ms and more from first work to paint, and the longest. */
  long_frames: number
  longest_frame: number
}

/** Milliseconds. A later frame counts as dropped: one and a half frames at 60 per second. */
const LATE_MS = 25

/** Observes frames and tasks. Counting frames makes the browser paint each of them, so CPU is measured without it. */
export function watchFrames(counted: boolean): { stop(): Smoothness } {
  const seen: Smoothness = { frames: 0, dropped: 0, long_tasks: 0, longest_task: 0, long_frames: 0, longest_frame: 0 }
  const tasks = observe('longtask', duration => {
    seen.long_tasks += 1
    seen.longest_task = Math.max(seen.longest_task, duration)
  })
  const frames = observe('long-animation-frame', duration => {
    seen.long_frames += 1
    seen.longest_frame = Math.max(seen.longest_frame, duration)
  })
  const counter = counted ? countFrames(seen) : null
  return {
    stop() {
      counter?.abort()
      tasks.disconnect()
      frames.disconnect()
      return seen
    },
  }
}

function observe(type: string, take: (duration: number) => void): PerformanceObserver {
  const from = performance.now()
  const observer = new PerformanceObserver(list => {
    // The browser reports a frame some time after it was painted: the last one before may still come.
    for (const { startTime, duration } of list.getEntries()) if (startTime >= from) take(duration)
  })
  observer.observe({ type })
  return observer
}

function countFrames(seen: Smoothness): AbortController {
  const running = new AbortController()
  let last = performance.now()
  requestAnimationFrame(function count(now) {
    seen.frames += 1
    seen.dropped += now - last > LATE_MS ? Math.round((now - last) / (1_000 / 60)) - 1 : 0
    last = now
    if (!running.signal.aborted) requestAnimationFrame(count)
  })
  return running
}
