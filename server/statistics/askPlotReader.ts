import { type SelectQueryBuilder, sql } from 'kysely'
import { LOGGED_OUTCOMES, type LoggedOutcome } from '#contract/askLog.ts'
import { loggedAsks } from '#server/asks/logStore.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { summedAsks } from './askSumStore.ts'
import type { Counted } from './countedUsers.ts'
import { type Buckets, endOf, HALF_HOUR, type Range, SIX_HOURS } from './range.ts'

/**
 * One row for each source and model; refused asks are not in its sums. `buckets` is one comma-separated text: for each
 * bucket its number, milliseconds in the queue, milliseconds of answers, and the number of asks with each of
 * LOGGED_OUTCOMES.
 */
export type PackedAsks = {
  source: string
  model: string
  total: number
  queueing_time: number
  longest_queueing_time: number
  buckets: string
}

/** Sums of asks, by the beginning of their half hour or by their own time. */
type Summed = SelectQueryBuilder<
  Tables,
  never,
  {
    time: number
    source: string
    model: string
    outcome: string
    asks: number
    queueing_time: number
    longest_queueing_time: number
    ask_time: number
  }
>

/** What plots of asks are drawn from. Queries and nothing else. */
export function askPlotReader(database: Database) {
  const loggedIn = ({ from, to }: Range) =>
    loggedAsks(database).where('log_time', '>=', from).where('log_time', '<', to)

  const singleAsks = (range: Range) =>
    loggedIn(range).select([
      'log_time as time',
      'source',
      'model',
      'outcome',
      sql<number>`1`.as('asks'),
      'queueing_time',
      'queueing_time as longest_queueing_time',
      'ask_time',
    ]) as unknown as Summed // the union below needs one type of both

  const summedIn = (span_ms: number, range: Range) => summedAsks(database, span_ms, range) as unknown as Summed

  return {
    /**
     * Reads sums up to `summedUntil`, and the single asks after it; with 0 only single asks. A bucket may come several
     * times: the caller adds them up.
     */
    packed: (buckets: Buckets, summedUntil: number): Promise<PackedAsks[]> => {
      const { start, granularity_ms } = buckets
      const end = endOf(buckets)
      const summed = clampedTo(summedUntil, start, end)
      const long = granularity_ms % SIX_HOURS === 0 ? clampedTo(summed - (summed % SIX_HOURS), start, end) : start
      const packedAt = (asks: Summed) => packedByTime(database, asks, buckets)
      return database
        .selectFrom(
          packedAt(summedIn(SIX_HOURS, { from: start, to: long }))
            .unionAll(packedAt(summedIn(HALF_HOUR, { from: long, to: summed })))
            .unionAll(packedAt(singleAsks({ from: summed, to: end })))
            .as('asked'),
        )
        .select(({ fn }) => [
          'source',
          'model',
          fn.sum<number>('total').as('total'),
          fn.sum<number>('queueing_time').as('queueing_time'),
          fn.max('longest_queueing_time').as('longest_queueing_time'),
          sql<string>`string_agg(packed, ',')`.as('buckets'),
        ])
        .groupBy(['source', 'model'])
        .execute()
    },

    /** Answered asks: one row for each bucket, source and model, the latest first; `user_ids` is comma-separated. */
    rows: ({ start, granularity_ms }: Pick<Buckets, 'start' | 'granularity_ms'>, to: number, most: number) =>
      database
        .selectFrom(
          loggedIn({ from: start, to })
            .where(({ ref }) => ref('answered'))
            .select(({ fn }) => [
              'source',
              'model',
              'user_id',
              sql<number>`(log_time - cast(${start} as bigint)) / cast(${granularity_ms} as bigint)`.as('bucket'),
              fn.countAll<number>().as('asks'),
              fn.sum<number>('queueing_time').as('queueing_time'),
              fn.sum<number>('ask_time').as('ask_time'),
            ])
            .groupBy(['source', 'model', 'user_id', 'bucket'])
            .as('of_people'),
        )
        .select(({ fn }) => [
          'source',
          'model',
          'bucket',
          fn.sum<number>('asks').as('asks'),
          fn.sum<number>('queueing_time').as('queueing_time'),
          fn.sum<number>('ask_time').as('ask_time'),
          sql<string>`string_agg(coalesce(cast(user_id as text), ''), ',')`.as('user_ids'),
        ])
        .groupBy(['source', 'model', 'bucket'])
        .orderBy('bucket', 'desc')
        .limit(most)
        .execute(),

    /** Subquery: how many asks each person ended. */
    countsByUser: (
      range: Range,
      { source, model }: { source?: string | undefined; model?: string | undefined },
    ): Counted =>
      loggedIn(range)
        .where('outcome', '!=', 'refused')
        .$if(source !== undefined, query => query.where('source', '=', source ?? ''))
        .$if(model !== undefined, query => query.where('model', '=', model ?? ''))
        .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
        .groupBy('user_id') as unknown as Counted, // whichever table they are counted from
  }
}

const clampedTo = (time: number, start: number, end: number): number => Math.min(Math.max(time, start), end)

/**
 * One row for each time, source and model. Sums are read in the order of their key, so that nothing has to be sorted.
 */
const packedByTime = (database: Database, asks: Summed, { start, granularity_ms }: Buckets) =>
  database
    .selectFrom(asks.as('sums'))
    .select([
      'source',
      'model',
      sumUnlessRefused('asks').as('total'),
      sumUnlessRefused('queueing_time').as('queueing_time'),
      sql<number>`max(case outcome when 'refused' then 0 else longest_queueing_time end)`.as('longest_queueing_time'),
      sql<string>`((time - cast(${start} as bigint)) / cast(${granularity_ms} as bigint))
        || ',' || cast(round(${sumUnlessRefused('queueing_time')} * 1000) as bigint)
        || ',' || cast(round(${sumUnlessRefused('ask_time')} * 1000) as bigint)
        || ',' || ${sql.join(LOGGED_OUTCOMES.map(asksThat), sql` || ',' || `)}`.as('packed'),
    ])
    .groupBy(['time', 'source', 'model'])

const sumUnlessRefused = (column: 'asks' | 'queueing_time' | 'ask_time') =>
  sql<number>`sum(case outcome when 'refused' then 0 else ${sql.ref(column)} end)`

const asksThat = (outcome: LoggedOutcome) => sql<number>`sum(case outcome when ${outcome} then asks else 0 end)`
