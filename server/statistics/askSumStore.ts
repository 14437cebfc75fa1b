import { sql } from 'kysely'
import { loggedAsks } from '#server/asks/logStore.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { HALF_HOUR, type Range, SIX_HOURS } from './range.ts'

const COLUMNS = [
  'span_ms',
  'start_time',
  'source',
  'model',
  'outcome',
  'asks',
  'queueing_time',
  'longest_queueing_time',
  'ask_time',
] as const

const sumsIn = (database: Database, span_ms: number, { from, to }: Range) =>
  database
    .selectFrom('ask_sums')
    .where('span_ms', '=', span_ms)
    .where('start_time', '>=', from)
    .where('start_time', '<', to)

/** Subquery: sums by half hour or six hours, with the columns of single asks, so that a union can have both. */
export const summedAsks = (database: Database, span_ms: number, range: Range) =>
  sumsIn(database, span_ms, range).select([
    'start_time as time',
    'source',
    'model',
    'outcome',
    'asks',
    'queueing_time',
    'longest_queueing_time',
    'ask_time',
  ])

/** The sums of asks. Queries and nothing else. */
export function askSumStore(database: Database) {
  return {
    /**
     * The beginning of the first half hour that is not summed up; 0 when none is. Sums of the future, left by a wrong
     * clock, do not count.
     */
    summedUntil: async (now: number): Promise<number> => {
      const { latest } = await database
        .selectFrom('ask_sums')
        .select(({ fn }) => fn.max<number | null>('start_time').as('latest'))
        .where('span_ms', '=', HALF_HOUR)
        .where('start_time', '<', now)
        .executeTakeFirstOrThrow()
      return latest === null ? 0 : latest + HALF_HOUR
    },

    earliestLogged: () =>
      loggedAsks(database)
        .select(({ fn }) => fn.min<number | null>('log_time').as('earliest'))
        .executeTakeFirstOrThrow()
        .then(row => row.earliest),

    /** Sums up whole half hours and the six-hour spans around them; replaces the sums that exist already. */
    async sumUp({ from, to }: Range): Promise<void> {
      const long = { from: from - (from % SIX_HOURS), to: Math.ceil(to / SIX_HOURS) * SIX_HOURS }
      for (const [span_ms, range] of [[HALF_HOUR, { from, to }] as const, [SIX_HOURS, long] as const])
        await database
          .deleteFrom('ask_sums')
          .where('span_ms', '=', span_ms)
          .where('start_time', '>=', range.from)
          .where('start_time', '<', range.to)
          .execute()
      await database.insertInto('ask_sums').columns(COLUMNS).expression(halfHours(database, { from, to })).execute()
      await database.insertInto('ask_sums').columns(COLUMNS).expression(sixHours(database, long)).execute()
    },

    async removeBefore(time: number): Promise<void> {
      for (const span_ms of [HALF_HOUR, SIX_HOURS])
        await database
          .deleteFrom('ask_sums')
          .where('span_ms', '=', span_ms)
          .where('start_time', '<=', time - span_ms)
          .execute()
    },
  }
}

const halfHours = (database: Database, { from, to }: Range) =>
  loggedAsks(database)
    .where('log_time', '>=', from)
    .where('log_time', '<', to)
    .select(({ fn }) => [
      sql<number>`cast(${HALF_HOUR} as bigint)`.as('span'),
      sql<number>`log_time - log_time % cast(${HALF_HOUR} as bigint)`.as('start'),
      'source',
      'model',
      'outcome',
      fn.countAll<number>().as('asks'),
      fn.sum<number>('queueing_time').as('queueing'),
      fn.max('queueing_time').as('longest'),
      fn.sum<number>('ask_time').as('answering'),
    ])
    .groupBy(['start', 'source', 'model', 'outcome'])

const sixHours = (database: Database, range: Range) =>
  sumsIn(database, HALF_HOUR, range)
    .select(({ fn }) => [
      sql<number>`cast(${SIX_HOURS} as bigint)`.as('span'),
      sql<number>`start_time - start_time % cast(${SIX_HOURS} as bigint)`.as('start'),
      'source',
      'model',
      'outcome',
      fn.sum<number>('asks').as('sum_of_asks'),
      fn.sum<number>('queueing_time').as('queueing'),
      fn.max('longest_queueing_time').as('longest'),
      fn.sum<number>('ask_time').as('answering'),
    ])
    .groupBy(['start', 'source', 'model', 'outcome'])
