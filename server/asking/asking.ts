import type { Bus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { SearchQueue } from '#server/foundation/search/searchQueue.ts'
import { leaseClock, newHolder } from '#server/foundation/database/lease.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import type { Metrics } from '#server/foundation/metrics.ts'
import type { Pools } from '#server/limits/shares/pools.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { Prices } from '#server/upstreams/prices/prices.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { askStore } from '#server/asks/store.ts'
import { openAdmission } from './admission.ts'
import { openAnswerPictures } from './answerPictures.ts'
import { openAskMetrics, openAsks } from './asks.ts'
import { openBeginning } from './beginning.ts'
import { openChunks } from './chunks.ts'
import { type Complete, openCompletion } from './completion.ts'
import type { AskDependencies } from './dependencies.ts'
import { openLeases } from './leases.ts'
import type { Failure } from './liveReply.ts'
import { openLikelyQuiet } from './quiet/likelyQuiet.ts'
import { openQuietQueue } from './quiet/quietQueue.ts'
import { openQuietAsks } from './quiet/routes.ts'
import { openQueue } from './queue.ts'
import { openRemoteAsks } from './remoteAsks.ts'
import { openRunningAsks } from './runningAsks.ts'
import { openChat } from './socket.ts'

type Dependencies = Pick<
  AskDependencies,
  | 'open'
  | 'clock'
  | 'log'
  | 'configuration'
  | 'providers'
  | 'sources'
  | 'instructions'
  | 'loadAttached'
  | 'picturesOf'
  | 'notices'
> & {
  outbound: Pick<Outbound, 'request'>
  /** Stores a picture of an answer as a file of whoever asked; gives its id. */
  keepPicture: Parameters<typeof openAnswerPictures>[0]['keepPicture']
  bus: Bus
  metrics: Metrics
  searchQueue: SearchQueue
  upstreams: Upstreams
  prices: Pick<Prices, 'of'>
  pools: Pools
  ownEndpoint(setting: EffectiveSetting, upstream_id: number | null): OwnEndpoint | null
}

type Ending = { open: OpenDatabase; complete: Complete; publishChange(ask_id: string): void }

/** Ends an ask that waits until it is quiet, which no process holds; without a failure its person has stopped it. */
const openEndWaiting =
  ({ open, complete, publishChange }: Ending) =>
  async (ask_id: string, failure: Failure | null = null): Promise<void> => {
    const { upstream_id = 0 } = (await askStore(open.database).find(ask_id)) ?? {}
    await complete({ ...NOTHING_CAME, ask_id, upstream_id, outcome: failure === null ? 'stopped' : 'failed', failure })
    publishChange(ask_id)
  }

/** Of an ask that never began. */
const NOTHING_CAME = { messages: [], hasText: false, first_token_time: null, upstream_conversation_id: null }

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
  const priceAt = dependencies.prices.of
  const complete = openCompletion({ ...dependencies, priceAt })
  const endWaiting = openEndWaiting({ open, complete, publishChange })
  const running = openRunningAsks({ open, publishStop, endWaiting })
  const shared = { open, log, complete, queue, holder, running, publishChange }
  const asks = openAsks({
    ...dependencies,
    ...shared,
    priceAt,
    leaseTime,
    chunks,
    publishStop,
    closing: closing.signal,
    keepPictures: openAnswerPictures(dependencies),
    admit: openAdmission({ ...dependencies, leaseTime, holder }),
    beginWaiting: openBeginning({ ...dependencies, leaseTime, holder }),
    metrics: openAskMetrics(dependencies.metrics, clock),
  })
  const leases = openLeases({ ...shared, clock: leaseTime, lease_seconds: configuration().asking.lease_seconds })
  const quiet = openQuietQueue({ ...dependencies, begin: id => asks.begin(id, 'quiet'), close: endWaiting })
  const likelyQuiet = openLikelyQuiet({ open, clock })
  const { chat, waitForFollowers } = openChat({
    sources: dependencies.sources,
    configuration,
    asks,
    running,
    remoteAsks: openRemoteAsks({ open, bus, log, likelyQuiet }),
    clock,
    log,
    onWaiting: quiet.check,
  })
  const unsubscribe = bus.subscribe('stop', running.stopHere)

  return {
    chat,
    /** For what asks without the chat socket. */
    ask: asks.ask,
    stop: running.stopIfLiving,
    stopAllOf: running.stopAllOf,
    quietAsks: openQuietAsks({ open, clock, configuration, likelyQuiet, begin: asks.begin }),

    /** Before anything is asked: what an earlier process left behind is closed as interrupted. */
    begin: () => leases.closeLeftBehind(),

    /** The concurrency may have changed. */
    queuesChanged: queue.checkAll,

    async close(timeIsUp: AbortSignal): Promise<void> {
      timeIsUp.addEventListener('abort', () => closing.abort())
      await quiet.close()
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
