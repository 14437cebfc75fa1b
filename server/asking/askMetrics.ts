import type { Source } from '#contract/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Metrics } from '#server/foundation/metrics.ts'

/** Counts an ask while it lasts, and measures its upstream. */
export type AskMeter = {
  started(): void
  asked(): void
  /** Something has arrived from the upstream; only the first call counts. */
  received(): void
  /** The answer is complete. */
  answered(): void
  ended(outcome: string): void
}

export type AskMetrics = { ask(source: Source, queueing: boolean): AskMeter }

/** Counts each ask by its state, so that the gauges agree with the queue. Requests for titles are not measured. */
export function openAskMetrics(metrics: Metrics, clock: Pick<Clock, 'monotonic'>): AskMetrics {
  return {
    ask(source, queueing) {
      let isRunning = false
      let hasReceived = false
      let asked_at = 0
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
        asked() {
          asked_at = clock.monotonic()
        },
        received() {
          if (!hasReceived) metrics.upstreamFirstByte.labels(source).observe(seconds())
          hasReceived = true
        },
        answered() {
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
