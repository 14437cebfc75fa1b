import type { Source } from '#contract/models.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { quietStore, type WaitingAsk } from '#server/asks/quietStore.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { IDLE } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import { NotQuiet, passes } from './refusals.ts'

/** Milliseconds between looks at what waits, in every process. */
const POLL = 1_000
/** Milliseconds after which one that could not be begun is tried again. */
const RETRY_AFTER = 5_000
/** Most that are tried at one look. */
const MAX_TRIED = 5

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Pick<Clock, 'now' | 'monotonic'>
  log: Log
  upstreams: Pick<Upstreams, 'find' | 'serving' | 'concurrency'>
  /** Throws `NotQuiet` or a refusal where it cannot be. */
  begin(ask_id: string): Promise<void>
  /** Ends one that nobody will begin any more; with null its person has stopped it. */
  close(ask_id: string, failure: { key: RefusalKey; values: RefusalValues } | null): Promise<void>
}

export type QuietQueue = ReturnType<typeof openQuietQueue>

/**
 * Begins asks that wait until it is quiet, one after the other, and gives up those whose time is over. They are held by
 * no process: each looks, and the transaction that begins one decides.
 */
export function openQuietQueue(dependencies: Dependencies) {
  const { open, bus, clock, log, begin, close } = dependencies
  const store = quietStore(open.database)
  /** When those are tried again that could not be begun, by the monotonic clock. */
  const retries = new Map<string, number>()
  let anyWaits = false
  let checking: Promise<void> | null = null
  let again = false
  const closing = new AbortController()

  async function giveUp(ask_id: string, failure: { key: RefusalKey; values: RefusalValues }): Promise<void> {
    if (await store.stop(ask_id)) await close(ask_id, failure)
  }

  /** Says whether it has begun. */
  async function tryOne({ ask_id, quiet_until }: WaitingAsk): Promise<boolean> {
    try {
      await begin(ask_id)
      return true
    } catch (error) {
      const isRefused = error instanceof Refusal && !passes(error, quiet_until ?? 0)
      if (isRefused) await giveUp(ask_id, { key: error.key, values: error.values })
      else retries.set(ask_id, clock.monotonic() + RETRY_AFTER)
      if (!(error instanceof Refusal || error instanceof NotQuiet))
        log.error({ err: error, ask_id }, 'an ask that waits until it is quiet could not be begun')
      return false
    }
  }

  async function checkOnce(): Promise<void> {
    const all = await store.waiting()
    anyWaits = all.length > 0
    if (!anyWaits) return retries.clear()
    const now = clock.now()
    const waiting: WaitingAsk[] = []
    for (const ask of all) {
      const until = ask.quiet_until ?? 0
      const values = { until_at: new Date(until).toISOString() }
      if (until <= now && !ask.stop_requested) await giveUp(ask.ask_id, { key: 'quietOver', values })
      // Whoever stopped it may not have come to its end.
      else if (ask.stop_requested) await close(ask.ask_id, until <= now ? { key: 'quietOver', values } : null)
      else waiting.push(ask)
    }
    await beginSome(waiting)
  }

  async function beginSome(waiting: readonly WaitingAsk[]): Promise<void> {
    const isFree = await freeUpstreams(dependencies)
    let tried = 0
    for (const ask of waiting) {
      if (tried === MAX_TRIED || closing.signal.aborted) return
      if ((retries.get(ask.ask_id) ?? 0) > clock.monotonic() || !isFree(ask)) continue
      tried += 1
      if (await tryOne(ask)) return check()
    }
  }

  /** One look at a time, and one more after it when asked for meanwhile. */
  function check(): void {
    again = true
    checking ??= (async () => {
      while (again && !closing.signal.aborted) {
        again = false
        await checkOnce().catch((error: unknown) => log.warn({ err: error }, 'what waits for quiet was not looked at'))
      }
      checking = null
    })()
  }

  const poll = setInterval(check, POLL)
  poll.unref()
  const unsubscribe = bus.subscribe('queue', () => {
    if (anyWaits) check()
  })

  return {
    /** Something may have changed: at once, not at the next look. */
    check,

    async close(): Promise<void> {
      closing.abort()
      clearInterval(poll)
      unsubscribe()
      await checking
    },
  }
}

/** A first look, without locks: whether an ask may find a place anywhere. */
async function freeUpstreams({ open, upstreams }: Pick<Dependencies, 'open' | 'upstreams'>) {
  const [loads, answering] = await Promise.all([
    queueStore(open.database).loads(),
    quietStore(open.database).answeringUpstreams(),
  ])
  const isFree = (id: number, concurrency: number): boolean => {
    const { running, waiting } = loads.get(id) ?? IDLE
    return waiting === 0 && running < concurrency && !answering.has(id)
  }
  return ({ source, model, upstream_id }: WaitingAsk): boolean =>
    upstreams.serving(source as Source, model).some(({ id, concurrency }) => isFree(id, concurrency)) ||
    (upstreams.find(upstream_id) === null && isFree(upstream_id, upstreams.concurrency(source as Source)))
}
