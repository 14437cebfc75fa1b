import type { Clock } from '#server/foundation/clock.ts'
import type { Metrics } from '#server/foundation/metrics.ts'
import type { AskNeeds } from './needs.ts'

/** Counts each ask where it stands, so that the gauges agree with the queue. Titles are asked for beside the asks: they are not measured. */
export function measuring(metrics: Metrics, clock: Pick<Clock, 'monotonic'>): AskNeeds['metrics'] {
  return {
    ask(source, queueing) {
      let isRunning = false
      let asked_at = 0
      let isHeard = false
      const seconds = () => (clock.monotonic() - asked_at) / 1000
      const queued = metrics.asksQueued.labels(source)
      const running = metrics.asksRunning.labels(source)
      if (queueing) queued.inc()
      const leaveQueue = () => {
        if (queueing) queued.dec()
      }
      return {
        started() {
          leaveQueue()
          isRunning = true
          running.inc()
        },
        asksUpstream() {
          asked_at = clock.monotonic()
        },
        hears() {
          if (!isHeard) metrics.upstreamFirstByte.labels(source).observe(seconds())
          isHeard = true
        },
        isAnswered() {
          metrics.upstreamAnswer.labels(source).observe(seconds())
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
