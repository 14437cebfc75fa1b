import type { Configuration } from '#contract/configuration/configuration.ts'
import { askLogStore } from '#server/asks/logStore.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Job, Run } from '#server/foundation/jobs/job.ts'
import { askSumStore } from './askSumStore.ts'
import { FINE_UNTIL, HALF_HOUR } from './range.ts'
import { requestStore, SHORTEST_SPAN, SPANS } from './requestStore.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A half hour is summed up this long after its end, when its last asks are stored. */
const SETTLED = MINUTE
/** The latest sums are made again, for asks whose end was stored late. */
const ONCE_MORE = 3 * HOUR
/** Milliseconds of asks that are summed up in one transaction. */
const AT_ONCE = 12 * HOUR
/** Rows that are removed in one transaction. */
const ROWS_AT_ONCE = 2_000
/** Asks are kept at least this long, because the meters of the accounts count them. */
const METERS_TTL_MS = DAY

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Pick<Configuration, 'stats'> }

/** Sums up the asks of half hours that are over. Until then plots count them one by one. */
export function askSums({ open, clock }: Pick<Dependencies, 'open' | 'clock'>): Job {
  return {
    name: 'sums of asks',
    every: 10 * MINUTE,
    async run({ signal }) {
      const now = clock.now()
      const end = floor(now - SETTLED, HALF_HOUR)
      const store = askSumStore(open.database)
      const earliest = floor((await store.earliestLogged()) ?? end, HALF_HOUR)
      const last = await store.summedUntil(now)
      const begin = last === 0 ? earliest : Math.max(earliest, Math.min(last, end) - ONCE_MORE)
      for (let from = begin; from < end; from += AT_ONCE) {
        signal.throwIfAborted()
        await open.transaction(trx => askSumStore(trx).sumUp({ from, to: Math.min(from + AT_ONCE, end) }), {
          lowPriority: true,
        })
      }
    },
  }
}

/** Removes statistics that are older than the settings allow, in small transactions. */
export function oldStatistics({ open, clock, configuration }: Dependencies): Job {
  return {
    name: 'old statistics',
    every: HOUR,
    async run(run) {
      const now = clock.now()
      const { ask_stats_ttl, request_stats_ttl } = configuration().stats
      const asks =
        ask_stats_ttl < 0 ? 0 : await removeAsks(open, now - Math.max(ask_stats_ttl * 1000, METERS_TTL_MS), run)
      const kept = request_stats_ttl < 0 ? Infinity : request_stats_ttl * 1000
      let sums = 0
      for (const span of SPANS) {
        const ttl = span === SHORTEST_SPAN ? Math.min(kept, FINE_UNTIL) : kept
        if (ttl !== Infinity) sums += await removeRequests(open, span, now - ttl, run)
      }
      return { asks, sums }
    },
  }
}

async function removeAsks(open: OpenDatabase, before: number, { signal }: Run<null>): Promise<number> {
  const removed = await untilNoneIsLeft(signal, () =>
    open.transaction(trx => askLogStore(trx).removeBefore(before, ROWS_AT_ONCE), { lowPriority: true }),
  )
  await askSumStore(open.database).removeBefore(before)
  return removed
}

async function removeRequests(
  open: OpenDatabase,
  span: number,
  before: number,
  { signal }: Run<null>,
): Promise<number> {
  let removed = 0
  for (const table of ['request_people', 'request_sums'] as const) {
    removed += await untilNoneIsLeft(signal, () =>
      open.transaction(trx => requestStore(trx).removeBefore(table, span, before, ROWS_AT_ONCE), { lowPriority: true }),
    )
  }
  return removed
}

async function untilNoneIsLeft(signal: AbortSignal, remove: () => Promise<number>): Promise<number> {
  for (let all = 0; ;) {
    signal.throwIfAborted()
    const removed = await remove()
    if (removed === 0) return all
    all += removed
  }
}

const floor = (time: number, span: number): number => time - (time % span)
