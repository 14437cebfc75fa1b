import { sql } from 'kysely'
import type { Database } from '#server/foundation/database/open.ts'
import type { Counted } from './countedPeople.ts'

/** A range of whole spans; `granularity_ms` is a multiple of `span_ms`. */
type SpanRange = { span_ms: number; granularity_ms: number; start: number; end: number }

/** What plots of requests are drawn from. Queries and nothing else. */
export function requestPlotReader(database: Database) {
  const inRange = ({ span_ms, start, end }: SpanRange) =>
    database
      .selectFrom('request_sums')
      .where('span_ms', '=', span_ms)
      .where('start_time', '>=', start)
      .where('start_time', '<', end)
  /** One row a bucket and route. */
  const summedIn = (range: SpanRange) =>
    inRange(range)
      .select(({ fn }) => [
        'route_path',
        'method',
        bucketOf(range).as('bucket'),
        fn.sum<number>('requests').as('requests'),
        fn.sum<number>('elapsed_ms').as('elapsed_ms'),
      ])
      .groupBy(['route_path', 'method', 'bucket'])
  const peopleIn = ({ span_ms, start, end }: SpanRange) =>
    database
      .selectFrom('request_people')
      .where('span_ms', '=', span_ms)
      .where('start_time', '>=', start)
      .where('start_time', '<', end)

  return {
    /**
     * One row for each route. `buckets` is one comma-separated text (bucket, requests, milliseconds), so that few rows
     * leave the worker thread.
     */
    packed: (range: SpanRange) =>
      database
        .selectFrom(summedIn(range).as('buckets'))
        .select(({ fn }) => [
          'route_path',
          'method',
          fn.sum<number>('requests').as('total'),
          sql<string>`string_agg(bucket || ',' || requests || ',' || cast(elapsed_ms as bigint), ',')`.as('buckets'),
        ])
        .groupBy(['route_path', 'method'])
        .execute(),

    /** One row a bucket and route, the latest first. */
    rows: (range: SpanRange, most: number) => summedIn(range).orderBy('bucket', 'desc').limit(most).execute(),

    /** The ids of those who made the requests of each bucket and route, comma-separated. */
    peopleRows: (range: SpanRange, most: number) =>
      database
        .selectFrom(
          peopleIn(range)
            .select(['route_path', 'method', bucketOf(range).as('bucket'), 'user_id'])
            .distinct()
            .as('people'),
        )
        .select(['route_path', 'method', 'bucket', sql<string>`string_agg(cast(user_id as text), ',')`.as('user_ids')])
        .groupBy(['route_path', 'method', 'bucket'])
        .orderBy('bucket', 'desc')
        .limit(most)
        .execute(),

    /** Subquery: how many requests each person made. */
    countsByPerson: (
      range: SpanRange,
      { route_path, method }: { route_path?: string | undefined; method?: string | undefined },
    ): Counted =>
      peopleIn(range)
        .$if(route_path !== undefined, query => query.where('route_path', '=', route_path ?? ''))
        .$if(method !== undefined, query => query.where('method', '=', method ?? ''))
        .select(({ fn }) => ['user_id', fn.sum<number>('requests').as('count')])
        .groupBy('user_id') as unknown as Counted, // whichever table they are counted from
  }
}

const bucketOf = ({ start, granularity_ms }: SpanRange) =>
  sql<number>`(start_time - cast(${start} as bigint)) / cast(${granularity_ms} as bigint)`
