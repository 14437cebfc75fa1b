import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { lentNow } from './lentHistory.ts'
import {
  addLines,
  catchUp,
  type LoadedPool,
  loadPool,
  poolIdOf,
  readUsual,
  setUsual,
  type SharedPool,
  shapeOf,
  slotOf,
  updateMembers,
} from './loadedPool.ts'
import { givenSince } from './giving.ts'
import type { PoolFacts, PoolLine } from './pool.ts'
import { type PoolIds, type PoolNews, readNews } from './poolStore.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  log: Log
  configuration(): Configuration
  upstreams: Pick<Upstreams, 'poolOf' | 'find' | 'shared' | 'onChange'>
}

/** A pool at a moment. It is to be used at once: what is asked later changes it. */
export type PoolView = { pool: SharedPool; facts: PoolFacts; lentBy(user_id: number): number }

/** Which pools there are. */
function openSharedPools({ poolOf, find, shared, onChange }: Dependencies['upstreams']) {
  /** Which they are, whatever they report; until something changes. */
  const known = new Map<Source, readonly SharedPool[]>()
  onChange(() => known.clear())

  /** The pool that an upstream is, or is of; null: it has no windows. */
  function pool(upstream_id: number): SharedPool | null {
    const found = poolOf(upstream_id)
    const source = found === null ? undefined : find(upstream_id)?.source
    return found === null || source === undefined ? null : { ...found, source }
  }

  function poolsOf(source: Source): readonly SharedPool[] {
    const before = known.get(source)
    if (before !== undefined) return before
    const pools = shared(source).flatMap(({ id }) => pool(id) ?? [])
    const different = [...new Map(pools.map(each => [poolIdOf(each), each])).values()]
    known.set(source, different)
    return different
  }

  return { poolOf: pool, poolsOf }
}

type Reading = { isLocked: boolean; now: number }
type Read = { loaded: LoadedPool; news: PoolNews }
type Asking = { caller_id: number | null; now: number }

/** What this process has read of pools: each of them once, and then what has happened since. */
function openReading({ open, clock, log }: Pick<Dependencies, 'open' | 'clock' | 'log'>) {
  const pools = new Map<number, LoadedPool>()
  /** Those that are being read. */
  const reading = new Map<number, Promise<LoadedPool>>()

  function loadedOf(pool: SharedPool): LoadedPool | null {
    const loaded = pools.get(poolIdOf(pool))
    return loaded?.shape === shapeOf(pool) ? loaded : null
  }

  async function load(database: Database, pool: SharedPool): Promise<LoadedPool> {
    const loaded = await loadPool(database, pool, clock.now())
    pools.set(poolIdOf(pool), loaded)
    return loaded
  }

  /** One reading at a time of each pool. */
  function loadOnce(pool: SharedPool): Promise<LoadedPool> {
    const id = poolIdOf(pool)
    const running = reading.get(id) ?? load(open.readOnly(), pool).finally(() => reading.delete(id))
    reading.set(id, running)
    return running
  }

  /** What people usually use changes slowly: until it is read, what was known half an hour ago is as good. */
  function refresh(pool: SharedPool, loaded: LoadedPool, now: number): void {
    if (loaded.usual.slot === slotOf(now)) return
    loaded.usual = { ...loaded.usual, slot: slotOf(now) }
    const database = open.readOnly()
    void Promise.all([readUsual(database, pool, now), catchUp(database, pool, loaded, now)]).then(
      ([usual]) => setUsual(loaded, usual),
      (error: unknown) => log.warn({ err: error }, 'what people usually use could not be read'),
    )
  }

  return {
    async read(database: Database, pool: SharedPool, { isLocked, now }: Reading): Promise<Read> {
      const loaded = loadedOf(pool) ?? (isLocked ? await load(database, pool) : await loadOnce(pool))
      const ids: PoolIds = { pool_id: poolIdOf(pool), upstream_ids: pool.upstream_ids }
      const since = givenSince(pool.settings, now)
      const news = await readNews(database, ids, { cursor: loaded.cursor, now, since })
      if (isLocked) addLines(pool, loaded, news.lines)
      return { loaded, news }
    },

    /** Reads those that are not known yet, before anybody waits for a lock; null where all are. */
    prepare(known: readonly SharedPool[]): Promise<unknown> | null {
      if (known.length === 0) return null
      const now = clock.now()
      const missing = known.filter(pool => {
        const loaded = loadedOf(pool)
        if (loaded !== null) refresh(pool, loaded, now)
        return loaded === null
      })
      return missing.length === 0 ? null : Promise.all(missing.map(loadOnce))
    },

    /** Nothing of what a transaction read that was undone is kept. */
    forget: (): void => pools.clear(),
  }
}

export type Pools = ReturnType<typeof openPools>
export type LockedPools = ReturnType<Pools['locked']>

/**
 * The pools that people share, as this process knows them. What a pool has used is in the ledger and in what runs, and
 * nowhere else: the settled lines are kept in memory up to one, and the lines behind it are read with each question,
 * together with what runs, in one statement. Under the lock of the queues, which whatever is settled takes as well,
 * that is exact in every process.
 */
export function openPools({ configuration, upstreams, ...dependencies }: Dependencies) {
  const { read, prepare, forget } = openReading(dependencies)
  const { poolOf, poolsOf } = openSharedPools(upstreams)

  async function viewOf(
    database: Database,
    pool: SharedPool,
    { loaded, news }: Read,
    asking: Asking,
  ): Promise<PoolView> {
    if (pool.sharing === 'shares')
      await updateMembers(database, pool, loaded, news, { ...asking, configuration: configuration() })
    // Without the lock a line may be missing before one that is there: none is kept.
    const ahead = news.lines.flatMap(({ id, line }) => (id > loaded.cursor ? [line] : []))
    const running = ahead.length === 0 ? news.running : [...news.running, ...ahead]
    const { state, members, lent } = loaded
    const { claims, gifts, openings } = news
    const { now } = asking
    return {
      pool,
      facts: { settings: pool.settings, state, members, running, claims, gifts, openings, now },
      lentBy(user_id) {
        const history = lent.get(user_id)
        return history === undefined ? 0 : Math.floor(lentNow(history, now))
      },
    }
  }

  return {
    /** Reads the pools of a source that are not known yet; null where all are. */
    prepare: (source: Source) => prepare(poolsOf(source)),
    forget,

    /** For a transaction that holds the locks of the queues. Asks that it admits are in it from then on. */
    locked(trx: Transaction, now: number) {
      const known = new Map<number, Read>()
      const pools = new Map<number, SharedPool | null>()
      return {
        /** Null: the upstream has no windows. */
        async of(upstream_id: number, caller_id: number): Promise<PoolView | null> {
          const before = pools.get(upstream_id)
          const pool = before === undefined ? poolOf(upstream_id) : before
          pools.set(upstream_id, pool)
          if (pool === null) return null
          const id = poolIdOf(pool)
          const found = known.get(id) ?? (await read(trx, pool, { isLocked: true, now }))
          known.set(id, found)
          return viewOf(trx, pool, found, { caller_id, now })
        },

        /** Keys of windows that it opened. */
        note(pool_id: number, line: PoolLine, windows: readonly string[]): void {
          const news = known.get(pool_id)?.news
          if (news === undefined) return
          news.running = [...news.running, line]
          for (const key of windows) news.openings.set(key, line.asked_time)
        },
      }
    },

    /** Without a lock and without writing. Null: the upstream has no windows. */
    async view(
      database: Database,
      upstream_id: number,
      { now, caller_id = null }: { now: number; caller_id?: number | null },
    ): Promise<PoolView | null> {
      const pool = poolOf(upstream_id)
      return pool === null
        ? null
        : viewOf(database, pool, await read(database, pool, { isLocked: false, now }), { caller_id, now })
    },

    poolOf,
  }
}
