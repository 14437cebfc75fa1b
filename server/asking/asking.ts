import type { Bus } from '#server/foundation/database/bus.ts'
import type { SearchQueue } from '#server/foundation/search/searchQueue.ts'
import { leaseClock, newHolder } from '#server/foundation/database/lease.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import type { Metrics } from '#server/foundation/metrics.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { openAdmission } from './admission.ts'
import { openAnswerPictures } from './answerPictures.ts'
import { openAskMetrics, openAsks } from './asks.ts'
import { openChunks } from './chunks.ts'
import { openCompletion } from './completion.ts'
import type { AskDependencies } from './dependencies.ts'
import { openLeases } from './leases.ts'
import { openQueue } from './queue.ts'
import { openRemoteAsks } from './remoteAsks.ts'
import { openRunningAsks } from './runningAsks.ts'
import { openChat } from './socket.ts'

type Dependencies = Pick<
  AskDependencies,
  'open' | 'clock' | 'log' | 'configuration' | 'providers' | 'sources' | 'instructions' | 'loadAttached'
> & {
  outbound: Pick<Outbound, 'request'>
  /** Stores a picture of an answer as a file of whoever asked; gives its id. */
  keepPicture: Parameters<typeof openAnswerPictures>[0]['keepPicture']
  bus: Bus
  metrics: Metrics
  searchQueue: SearchQueue
  upstreams: Upstreams
  ownEndpoint(setting: EffectiveSetting, upstream_id: number | null): OwnEndpoint | null
}

export type Asking = ReturnType<typeof openAsking>

/** The ask's life, put together (docs/architecture.md, "The path of one ask"). */
export function openAsking(dependencies: Dependencies) {
  const { open, clock, log, bus, configuration } = dependencies
  const holder = newHolder()
  const closing = new AbortController()
  const publishChange = (ask_id: string) => bus.publish('ask', ask_id)
  const publishStop = (ask_id: string) => bus.publish('stop', ask_id)
  const leaseTime = leaseClock(open, clock)
  const queue = openQueue(dependencies)
  const chunks = openChunks({ open, log, onFlushed: publishChange })
  const complete = openCompletion(dependencies)
  const running = openRunningAsks({ open, publishStop })
  const shared = { open, log, complete, queue, holder, running, publishChange }
  const asks = openAsks({
    ...dependencies,
    ...shared,
    leaseTime,
    chunks,
    publishStop,
    closing: closing.signal,
    keepPictures: openAnswerPictures(dependencies),
    admit: openAdmission({ ...dependencies, leaseTime, holder }),
    metrics: openAskMetrics(dependencies.metrics, clock),
  })
  const leases = openLeases({ ...shared, clock: leaseTime, lease_seconds: configuration().asking.lease_seconds })
  const { chat, waitForFollowers } = openChat({
    sources: dependencies.sources,
    asks,
    running,
    remoteAsks: openRemoteAsks({ open, bus, log }),
    clock,
    log,
  })
  const unsubscribe = bus.subscribe('stop', running.stopHere)

  return {
    chat,
    /** For what asks without the chat socket. */
    ask: asks.ask,
    stop: running.stopIfLiving,
    stopAllOf: running.stopAllOf,

    /** Before anything is asked: what an earlier process left behind is closed as interrupted. */
    begin: () => leases.closeLeftBehind(),

    /** The concurrency may have changed. */
    queuesChanged: queue.checkAll,

    async close(timeIsUp: AbortSignal): Promise<void> {
      timeIsUp.addEventListener('abort', () => closing.abort())
      await asks.close(timeIsUp)
      await waitForFollowers()
      closing.abort()
      unsubscribe()
      queue.close()
      chunks.close()
      await leases.close()
    },
  }
}
