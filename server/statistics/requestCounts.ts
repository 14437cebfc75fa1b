import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { existingAmong } from '#server/users/store.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { type RouteCounts, requestStore, SHORTEST_SPAN } from './requestStore.ts'

/** Milliseconds between two flushes. */
const FLUSH = 10_000
/**
 * Counters in memory (by minute and route, and by person) until the next flush. Requests that would need more are not
 * counted.
 */
const MAX_KEPT = 50_000
/** The id under which requests without a session are counted. */
export const NOBODY = 0

type MinuteCounts = RouteCounts & { people: Map<number, number> }

/** Counts one request of a route that has been answered. */
type CountRequest = (user_id: number | null, elapsed_ms: number) => void

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  log: Log
  configuration(): Pick<Configuration, 'stats'>
  most_kept?: number
}

/**
 * Counts requests in memory by minute, route and person. Every ten seconds the counts are added to the sums in the
 * database; when that fails they are kept for the next time.
 */
export function openRequestCounts({ open, clock, log, configuration, most_kept = MAX_KEPT }: Dependencies) {
  /** By minute and route. */
  let kept = new Map<string, MinuteCounts>()
  let size = 0
  let dropped = 0
  let flushing: Promise<void> = Promise.resolve()

  /** Null when there is no room. */
  function countsOf(minute: number, method: string, route_path: string): MinuteCounts | null {
    const key = `${minute} ${method} ${route_path}`
    const known = kept.get(key)
    if (known !== undefined) return known
    if (size >= most_kept) return null
    size += 1
    const counts = { minute, method, route_path, requests: 0, elapsed_ms: 0, people: new Map<number, number>() }
    kept.set(key, counts)
    return counts
  }

  function addUser({ people }: MinuteCounts, user_id: number, requests: number): void {
    const known = people.get(user_id)
    if (known === undefined && size >= most_kept) return
    if (known === undefined) size += 1
    people.set(user_id, (known ?? 0) + requests)
  }

  function add(counts: Omit<MinuteCounts, 'people'>, people: Iterable<[number, number]>): void {
    const { minute, method, route_path, requests, elapsed_ms } = counts
    const sum = countsOf(minute, method, route_path)
    if (sum === null) dropped += requests
    else {
      sum.requests += requests
      sum.elapsed_ms += elapsed_ms
      for (const [user_id, count] of people) addUser(sum, user_id, count)
    }
  }

  async function write(): Promise<void> {
    if (kept.size === 0) return
    const written = kept
    kept = new Map()
    size = 0
    if (dropped > 0)
      log.warn({ dropped }, 'requests were not counted for statistics: there were too many different ones')
    dropped = 0
    try {
      const counts = [...written.values()]
      await open.transaction(async trx => requestStore(trx).add(await withoutGone(trx, counts)), { lowPriority: true })
    } catch (error) {
      for (const counts of written.values()) add(counts, counts.people)
      log.warn({ err: error }, 'the counts of requests could not be written')
    }
  }

  /**
   * Leaves out people whose account is gone: nothing may be stored of somebody who was erased. Their requests stay in
   * the totals.
   */
  async function withoutGone(trx: Transaction, counts: readonly MinuteCounts[]): Promise<RouteCounts[]> {
    const ids = [...new Set(counts.flatMap(({ people }) => [...people.keys()]))]
    await requestStore(trx).lockUsers(open.engine, 'adding')
    const known = new Set([NOBODY, ...(await existingAmong(trx, ids))])
    return counts.map(({ people, ...sum }) => ({
      ...sum,
      people: new Map([...people].filter(([user_id]) => known.has(user_id))),
    }))
  }

  const flush = (): Promise<void> => (flushing = flushing.then(write))
  const timer = setInterval(() => void flush(), FLUSH).unref()

  return {
    /** The counter of a route. Requests whose path template contains one of the filtered words are not counted. */
    route(method: string, route_path: string): CountRequest {
      let words: readonly string[] | null = null
      let isFiltered = false
      return (user_id, elapsed_ms) => {
        const { request_stats_filter_keywords } = configuration().stats
        if (words !== request_stats_filter_keywords) {
          words = request_stats_filter_keywords
          isFiltered = words.some(word => word !== '' && route_path.includes(word))
        }
        if (isFiltered) return
        const now = clock.now()
        const counts = { minute: now - (now % SHORTEST_SPAN), method, route_path, requests: 1, elapsed_ms }
        add(counts, [[user_id ?? NOBODY, 1]])
      }
    },

    /** Writes what was counted until now. */
    flush,

    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}
