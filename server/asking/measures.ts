import type { Metrics } from '#server/foundation/metrics.ts'
import type { AskNeeds } from './needs.ts'

/** Counts each ask where it stands, so that the gauges agree with the queue. */
export function measuring(metrics: Metrics): AskNeeds['metrics'] {
  return {
    ask(source, queueing) {
      let isRunning = false
      const queued = metrics.asksQueued.labels(source)
      const running = metrics.asksRunning.labels(source)
      if (queueing) queued.inc()
      const leaveQueue = () => { if (queueing) queued.dec() }
      return {
        started() {
          leaveQueue()
          isRunning = true
          running.inc()
        },
        ended(outcome) {
          if (isRunning) running.dec()
          else leaveQueue()
          metrics.askOutcomes.labels(source, outcome).inc()
        },
      }
    },
  }
}
