import type { AdmittedAsk } from '#server/asks/ask.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { askStore } from '#server/asks/store.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Pools } from '#server/limits/shares/pools.ts'
import type { Sources } from '#server/sources/source.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { cooldownEnd } from '#server/upstreams/choose.ts'
import { turnOrder } from './lockedQueues.ts'
import { openMoves, type Waiting } from './moves.ts'

/** Milliseconds between polls. The bus wakes waiters at once; polling finds what a crash kept from being published. */
const POLL = 1_000
/** Milliseconds that an ask may wait for its turn. */
const MAX_WAIT = 1_800_000

/**
 * Where a waiting ask is. `cooling_until`: its upstream has room but is not asked before then, in epoch milliseconds.
 */
export type QueuePosition = { position: number; estimate_seconds: number | null; cooling_until: number | null }
type Notify = (position: QueuePosition) => void
type Waiter = Waiting & { notify: Notify; granted(): void; lost(reason: Refusal): void }

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  log: Log
  sources: Sources
  upstreams: Pick<Upstreams, 'find' | 'findFor' | 'serving' | 'sharedFor' | 'concurrency' | 'onChange'>
  pools: Pick<Pools, 'locked' | 'poolOf'>
}

/** The end of the cooldown for which asks of a model wait although there is room; null where they need not. */
type CooldownEnd = (model: string) => number | null

export type Queue = ReturnType<typeof openQueue>

/**
 * A queue for each upstream: as many of its asks run as the upstream may answer at once. The tickets are in the
 * database (decision 006).
 */
export function openQueue(dependencies: Dependencies) {
  const { bus, clock, log, sources, upstreams } = dependencies
  const store = queueStore(dependencies.open.database)
  const estimate = openEstimates(dependencies)
  const move = openMoves(dependencies)
  const waiters = new Map<string, Waiter>()
  /** Queues that are being checked, and those to be checked once more. */
  const checking = new Set<number>()
  const recheck = new Set<number>()

  async function notifyAll({ id, concurrency }: Upstream, cooldownOf: CooldownEnd): Promise<void> {
    // Those who join while it is read are not in what was read, and have a check of their own.
    const present = waitersOf(id)
    const asks = await store.entries(id)
    const order = turnOrder(asks.filter(ask => ask.ask_state === 'queueing')).map(ask => ask.ask_id)
    const states = new Map(asks.map(ask => [ask.ask_id, ask.ask_state]))
    for (const waiter of present) {
      const { ask_id, model } = waiter.ask
      const state = states.get(ask_id)
      if (state === 'asking') waiter.granted()
      else if (state === undefined) await follow(waiter)
      else {
        const position = order.indexOf(ask_id) + 1
        const estimate_seconds = await estimate(waiter.ask, position, concurrency)
        waiter.notify({ position, estimate_seconds, cooling_until: cooldownOf(model) })
      }
    }
  }

  /** It left this queue: moved without the database confirming it, or completed by another process. */
  async function follow(waiter: Waiter): Promise<void> {
    const ask = await askStore(dependencies.open.database).find(waiter.ask.ask_id)
    const upstream = ask?.end_time === null ? upstreams.find(ask.upstream_id) : null
    if (upstream === null || upstream.id === waiter.upstream.id) return waiter.lost(new Refusal('interrupted'))
    waiter.upstream = upstream
    void check(upstream.id)
  }

  const waitersOf = (upstream_id: number): Waiter[] =>
    [...waiters.values()].filter(waiter => waiter.upstream.id === upstream_id)

  /** One check at a time for each queue, and one more after it when asked for meanwhile, however often. */
  async function check(upstream_id: number): Promise<void> {
    if (checking.has(upstream_id)) {
      recheck.add(upstream_id)
      return
    }
    checking.add(upstream_id)
    do {
      recheck.delete(upstream_id)
      await checkOnce(upstream_id).catch((error: unknown) =>
        log.warn({ err: error, upstream_id }, 'the queue could not be checked'),
      )
    } while (recheck.has(upstream_id))
    checking.delete(upstream_id)
  }

  async function checkOnce(upstream_id: number): Promise<void> {
    for (const [ask_id, to] of await move(waitersOf(upstream_id))) {
      const waiter = waiters.get(ask_id)
      if (waiter === undefined) continue
      waiter.upstream = to
      void check(to.id)
    }
    const [first] = waitersOf(upstream_id)
    if (first === undefined) return
    const upstream = asItIs(upstreams, first.upstream)
    if (upstream === null) {
      for (const waiter of waitersOf(upstream_id)) waiter.lost(new Refusal('upstreamGone'))
      return
    }
    const cooldownOf = cooldownsOf({ sources, upstreams }, upstream, clock.now())
    if (upstream.enabled && upstream.paused_since === null) await grant(dependencies, upstream, cooldownOf)
    await notifyAll(upstream, cooldownOf)
  }

  function checkAll(): void {
    for (const id of new Set([...waiters.values()].map(({ upstream }) => upstream.id))) void check(id)
  }

  const leave = [bus.subscribe('queue', upstream_id => void check(Number(upstream_id))), upstreams.onChange(checkAll)]
  const poll = setInterval(checkAll, POLL)
  poll.unref()

  return {
    /**
     * Waits for the turn of an ask that is queueing, and gives the upstream whose turn it is: the ask may have moved.
     * Rejects when the signal aborts or the wait becomes too long.
     */
    async turn(ask: AdmittedAsk, notify: Notify, signal: AbortSignal): Promise<Upstream> {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const abort = () => reject(signal.reason)
      const deadline = setTimeout(() => reject(new Refusal('timeout')), MAX_WAIT)
      signal.addEventListener('abort', abort)
      const waiter: Waiter = { ask, upstream: ask.upstream, notify, granted: resolve, lost: reject }
      waiters.set(ask.ask_id, waiter)
      void check(ask.upstream.id)
      try {
        await promise
        return asItIs(upstreams, waiter.upstream) ?? waiter.upstream
      } finally {
        clearTimeout(deadline)
        signal.removeEventListener('abort', abort)
        waiters.delete(ask.ask_id)
      }
    },

    /** An ask has ended, so another one may run. */
    wake: (upstream_id: number): void => bus.publish('queue', String(upstream_id)),

    /** The concurrency may have changed: each process checks the queues of those who wait in it. */
    checkAll,

    close(): void {
      for (const each of leave) each()
      clearInterval(poll)
    },
  }
}

/** One model may cool while others are asked. */
function cooldownsOf(
  { sources, upstreams }: Pick<Dependencies, 'sources' | 'upstreams'>,
  upstream: Upstream,
  now: number,
): CooldownEnd {
  const known = new Map<string, number | null>()
  return model => {
    const before = known.get(model)
    if (before !== undefined) return before
    const there = (upstream.user_id === null ? upstreams.findFor(upstream.id, model) : null) ?? upstream
    const end = cooldownEnd(
      sources.of(upstream.source).keepsConversations,
      there,
      upstreams.sharedFor(upstream.source, model),
      now,
    )
    known.set(model, end)
    return end
  }
}

/** Lets those run whose turn it is, whichever process they wait in. */
async function grant(
  { open, clock }: Pick<Dependencies, 'open' | 'clock'>,
  { id, concurrency }: Upstream,
  cooldownOf: CooldownEnd,
): Promise<void> {
  await open.transaction(async trx => {
    const locked = queueStore(trx)
    await locked.lockOne(id)
    const asks = await locked.entries(id)
    const free = concurrency - asks.filter(ask => ask.ask_state === 'asking').length
    const waiting = asks.filter(({ ask_state, model }) => ask_state === 'queueing' && cooldownOf(model) === null)
    const next = free > 0 ? turnOrder(waiting).slice(0, free) : []
    const ids = next.map(ask => ask.ask_id)
    if (ids.length > 0) await locked.grant(ids, clock.now())
  })
}

/** The upstream as it is now; null when it has been removed. */
function asItIs(upstreams: Dependencies['upstreams'], upstream: Upstream): Upstream | null {
  if (upstream.user_id === null) return upstreams.find(upstream.id)
  return { ...upstream, concurrency: upstreams.concurrency(upstream.source) }
}

/** Milliseconds for which an estimate is reused. */
const MAX_AGE = 5_000

/**
 * How long a waiting ask has to wait, in seconds, by how long the latest answers of its model took; null when there are
 * none.
 */
function openEstimates({ open, clock }: { open: OpenDatabase; clock: Clock }) {
  const store = queueStore(open.database)
  const known = new Map<string, { time: number; milliseconds: number | null }>()

  async function answerTime({ source, model }: Pick<AdmittedAsk, 'source' | 'model'>): Promise<number | null> {
    const key = `${source} ${model}`
    const latest = known.get(key)
    if (latest !== undefined && clock.monotonic() - latest.time <= MAX_AGE) return latest.milliseconds
    const times = (await store.recentTimes(source, model)).map(row => (row.end_time ?? 0) - (row.start_time ?? 0))
    const milliseconds = times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length
    known.set(key, { time: clock.monotonic(), milliseconds })
    return milliseconds
  }

  return async (
    ask: Pick<AdmittedAsk, 'source' | 'model'>,
    position: number,
    concurrency: number,
  ): Promise<number | null> => {
    const milliseconds = await answerTime(ask)
    return milliseconds === null ? null : Math.max(1, Math.round((milliseconds * position) / concurrency / 1000))
  }
}
