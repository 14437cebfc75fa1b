import type { Bus } from '#server/foundation/bus.ts'
import { searchIndex } from '#server/foundation/database/search.ts'
import type { Metrics } from '#server/foundation/metrics.ts'
import { openAdmission } from './admission.ts'
import { openAsks } from './asks.ts'
import { openChunks } from './chunks.ts'
import { openCompletion } from './completion.ts'
import { leaseClock, newHolder } from '#server/foundation/lease.ts'
import { openLeases } from './leases.ts'
import { measuring } from './measures.ts'
import type { AskNeeds } from './needs.ts'
import { openQueue } from './queue.ts'
import { openRemoteAsks } from './remoteAsks.ts'
import { openChat } from './socket.ts'

type Given = Pick<
  AskNeeds,
  'open' | 'clock' | 'log' | 'configuration' | 'upstreams' | 'providers' | 'personal' | 'keepSession'
> & { bus: Bus; metrics: Metrics }

export type Asking = ReturnType<typeof openAsking>

/** The ask's life, put together (docs/architecture.md, "The path of one ask"). */
export function openAsking(given: Given) {
  const { open, clock, log, bus, configuration, upstreams } = given
  const holder = newHolder()
  const closing = new AbortController()
  const published = (ask_id: string) => bus.publish('ask', ask_id)
  const leaseTime = leaseClock(open, clock)
  const queue = openQueue({ open, bus, clock, log, places: upstreams.concurrency })
  const chunks = openChunks({ open, log, onFlushed: published })
  const complete = openCompletion({ open, clock, search: searchIndex(open.engine) })
  const asks = openAsks({
    ...given,
    holder,
    leaseTime,
    queue,
    chunks,
    complete,
    published,
    closing: closing.signal,
    admit: openAdmission(open),
    metrics: measuring(given.metrics, clock),
    stopElsewhere: ask_id => bus.publish('stop', ask_id),
  })
  const leases = openLeases({
    open,
    clock: leaseTime,
    log,
    asks,
    complete,
    queue,
    holder,
    published,
    lease_seconds: configuration().asking.lease_seconds,
  })
  const { chat, farewell } = openChat({ asks, remoteAsks: openRemoteAsks({ open, bus, log }), log })
  const unsubscribe = bus.subscribe('stop', ask_id => asks.stopHere(ask_id))

  return {
    asks,
    chat,

    /** Before anything is asked: what an earlier process left behind is closed as interrupted. */
    begin: () => leases.closeLeftBehind(),

    /** The concurrency may have changed. */
    queuesChanged: queue.checkAll,

    async close(timeIsUp: AbortSignal): Promise<void> {
      timeIsUp.addEventListener('abort', () => closing.abort())
      await asks.close(timeIsUp)
      await farewell()
      closing.abort()
      unsubscribe()
      queue.close()
      chunks.close()
      await leases.close()
    },
  }
}
