import type { Source } from '#contract/models.ts'
import type { Bus } from '#server/foundation/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { turnOrder } from './turnOrder.ts'

/** Milliseconds between polls. The bus wakes waiters at once; polling finds what a crash kept from being published. */
const POLL = 1_000
/** Milliseconds that an ask may wait for its turn. */
const LONGEST_WAIT = 1_800_000
/** Milliseconds for which an estimate is reused. */
const ESTIMATE_AGE = 5_000

type Ticket = { ask_id: string; upstream_id: number; source: Source; model: string }
type Tell = (place: number, estimate_seconds: number | null) => void
type Waiter = Ticket & { tell: Tell; granted(): void; lost(): void }

export type Queue = ReturnType<typeof openQueue>
type Needs = { open: OpenDatabase; bus: Bus; clock: Clock; log: Log; places(source: Source): number }

/** One queue for each upstream, with as many running asks as it has places. The tickets are in the database (decision 006). */
export function openQueue({ open, bus, clock, log, places }: Needs) {
  const store = queueStore(open.database)
  const waiters = new Map<string, Waiter>()
  const estimates = new Map<string, { time: number; milliseconds: number | null }>()
  /** Queues that are being checked, and those to be checked once more. */
  const checking = new Set<number>()
  const recheck = new Set<number>()

  /** Gives free places to those whose turn it is, whichever process they wait in. */
  async function grant(upstream_id: number, source: Source): Promise<void> {
    await open.transaction(async trx => {
      const own = queueStore(trx)
      await own.nextTickets(upstream_id, 0)
      const asks = await own.entries(upstream_id)
      const running = asks.filter(ask => ask.ask_state === 'asking')
      const free = places(source) - running.length
      const next = free > 0 ? turnOrder(asks.filter(ask => ask.ask_state === 'queueing')).slice(0, free) : []
      if (next.length > 0)
        await own.grant(
          next.map(ask => ask.ask_id),
          clock.now(),
        )
    })
  }

  async function tellPlaces(upstream_id: number, source: Source): Promise<void> {
    const asks = await store.entries(upstream_id)
    const order = turnOrder(asks.filter(ask => ask.ask_state === 'queueing')).map(ask => ask.ask_id)
    const present = new Map(asks.map(ask => [ask.ask_id, ask.ask_state]))
    for (const waiter of [...waiters.values()].filter(candidate => candidate.upstream_id === upstream_id)) {
      const state = present.get(waiter.ask_id)
      if (state === 'asking') waiter.granted()
      else if (state === undefined) waiter.lost()
      else {
        const place = order.indexOf(waiter.ask_id) + 1
        waiter.tell(place, await estimate(waiter, place, places(source)))
      }
    }
  }

  async function estimate({ source, model }: Ticket, place: number, concurrency: number): Promise<number | null> {
    const key = `${source} ${model}`
    let known = estimates.get(key)
    if (known === undefined || clock.monotonic() - known.time > ESTIMATE_AGE) {
      const times = (await store.recentTimes(source, model)).map(row => (row.end_time ?? 0) - (row.start_time ?? 0))
      const milliseconds = times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length
      known = { time: clock.monotonic(), milliseconds }
      estimates.set(key, known)
    }
    return known.milliseconds === null
      ? null
      : Math.max(1, Math.round((known.milliseconds * place) / concurrency / 1000))
  }

  /** One check at a time for each queue, and one more after it when asked for meanwhile, however often. */
  async function checkQueue(upstream_id: number): Promise<void> {
    if (checking.has(upstream_id)) {
      recheck.add(upstream_id)
      return
    }
    checking.add(upstream_id)
    do {
      recheck.delete(upstream_id)
      await checkQueueOnce(upstream_id)
    } while (recheck.has(upstream_id))
    checking.delete(upstream_id)
  }

  async function checkQueueOnce(upstream_id: number): Promise<void> {
    const source = [...waiters.values()].find(waiter => waiter.upstream_id === upstream_id)?.source
    if (source === undefined) return
    try {
      await grant(upstream_id, source)
      await tellPlaces(upstream_id, source)
    } catch (error) {
      log.warn({ err: error, upstream_id }, 'the queue could not be looked at')
    }
  }

  function checkAll(): void {
    for (const id of new Set([...waiters.values()].map(waiter => waiter.upstream_id))) void checkQueue(id)
  }

  const unsubscribe = bus.subscribe('queue', upstream_id => {
    void checkQueue(Number(upstream_id))
  })
  const poll = setInterval(checkAll, POLL)
  poll.unref()

  return {
    /** Waits for the turn of an ask that is queueing. Rejects when the signal aborts or the wait becomes too long. */
    async turn(ticket: Ticket, tell: Tell, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const leave = () => reject(signal.reason)
      const deadline = setTimeout(() => reject(new Refusal('timeout')), LONGEST_WAIT)
      signal.addEventListener('abort', leave)
      waiters.set(ticket.ask_id, { ...ticket, tell, granted: resolve, lost: () => reject(new Refusal('interrupted')) })
      void checkQueue(ticket.upstream_id)
      try {
        await promise
      } finally {
        clearTimeout(deadline)
        signal.removeEventListener('abort', leave)
        waiters.delete(ticket.ask_id)
      }
    },

    /** A place may have become free. */
    wake: (upstream_id: number): void => bus.publish('queue', String(upstream_id)),

    /** The concurrency may have changed: each process looks after those who wait in it. */
    checkAll,

    close(): void {
      unsubscribe()
      clearInterval(poll)
    },
  }
}
