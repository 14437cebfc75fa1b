import { sql } from 'kysely'
import type { Engine } from '#server/foundation/database/schema/definition.ts'
import type { Database } from '#server/foundation/database/open.ts'
import type { Counted } from './countedUsers.ts'

const MINUTE = 60_000
const HALF_HOUR = 30 * MINUTE

/** Milliseconds of the spans over which requests are summed up. Longer ranges are read from longer spans. */
export const SPANS = [MINUTE, HALF_HOUR, 12 * HALF_HOUR] as const
/** The spans for which people are stored too. */
const SPANS_WITH_PEOPLE: readonly number[] = [MINUTE, HALF_HOUR]
export const SHORTEST_SPAN = MINUTE

/** Requests of one minute and route. `people`: how many each person made; 0 stands for nobody. */
export type RouteCounts = {
  minute: number
  method: string
  route_path: string
  requests: number
  elapsed_ms: number
  people: ReadonlyMap<number, number>
}

/** Rows per statement: below both databases' limit of parameters. */
const BATCH = 1_000

/** The sums of requests. Queries and nothing else. */
export function requestStore(database: Database) {
  return {
    /** Adds the counts to the sums in the database, which other processes add to as well. */
    async add(counts: readonly RouteCounts[]): Promise<void> {
      for (const rows of batches(sumsOf(counts))) {
        await database
          .insertInto('request_sums')
          .values(rows)
          .onConflict(conflict =>
            conflict.columns(['span_ms', 'start_time', 'route_path', 'method']).doUpdateSet(({ ref }) => ({
              requests: sql<number>`${ref('request_sums.requests')} + ${ref('excluded.requests')}`,
              elapsed_ms: sql<number>`${ref('request_sums.elapsed_ms')} + ${ref('excluded.elapsed_ms')}`,
            })),
          )
          .execute()
      }
      for (const rows of batches(userRows(counts))) {
        await database
          .insertInto('request_people')
          .values(rows)
          .onConflict(conflict =>
            conflict.columns(['span_ms', 'start_time', 'route_path', 'method', 'user_id']).doUpdateSet(({ ref }) => ({
              requests: sql<number>`${ref('request_people.requests')} + ${ref('excluded.requests')}`,
            })),
          )
          .execute()
      }
    },

    /** Removes at most `most` sums of spans that ended before a time. Returns how many. */
    async removeBefore(table: 'request_sums' | 'request_people', span_ms: number, time: number, most: number) {
      const earliest = database
        .selectFrom(table)
        .select('start_time')
        .where('span_ms', '=', span_ms)
        .where('start_time', '<=', time - span_ms)
        .orderBy('start_time')
        .limit(most)
      const { numDeletedRows } = await database
        .deleteFrom(table)
        .where('span_ms', '=', span_ms)
        .where('start_time', 'in', earliest)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    /**
     * A lock until the end of the transaction: `adding` and `forgetting` exclude each other. SQLite needs none, since
     * it runs one transaction at a time.
     */
    async lockUsers(engine: Engine, what: 'adding' | 'forgetting'): Promise<void> {
      if (engine !== 'postgresql') return
      const mode = what === 'adding' ? sql`row exclusive` : sql`share row exclusive`
      await sql`lock table request_people in ${mode} mode`.execute(database)
    },

    /** Removes a person's counts; their requests stay in the totals. */
    async forget(user_id: number): Promise<void> {
      await database.deleteFrom('request_people').where('user_id', '=', user_id).execute()
    },
  }
}

type SumRow = {
  span_ms: number
  start_time: number
  route_path: string
  method: string
  requests: number
  elapsed_ms: number
}
type UserRequestsRow = Omit<SumRow, 'elapsed_ms'> & { user_id: number }

function sumsOf(counts: readonly RouteCounts[]): SumRow[] {
  const rows = new Map<string, SumRow>()
  for (const { minute, route_path, method, requests, elapsed_ms } of counts)
    for (const span_ms of SPANS) {
      const start_time = minute - (minute % span_ms)
      const row = rowIn(rows, `${span_ms} ${start_time} ${route_path} ${method}`, () => {
        return { span_ms, start_time, route_path, method, requests: 0, elapsed_ms: 0 }
      })
      row.requests += requests
      row.elapsed_ms += elapsed_ms
    }
  return inOneOrder(rows)
}

function userRows(counts: readonly RouteCounts[]): UserRequestsRow[] {
  const rows = new Map<string, UserRequestsRow>()
  for (const { minute, route_path, method, people } of counts)
    for (const span_ms of SPANS_WITH_PEOPLE) {
      const start_time = minute - (minute % span_ms)
      for (const [user_id, requests] of people)
        rowIn(rows, `${span_ms} ${start_time} ${route_path} ${method} ${user_id}`, () => {
          return { span_ms, start_time, route_path, method, user_id, requests: 0 }
        }).requests += requests
    }
  return inOneOrder(rows)
}

function rowIn<Row>(rows: Map<string, Row>, key: string, make: () => Row): Row {
  const row = rows.get(key) ?? make()
  rows.set(key, row)
  return row
}

/** Rows in the same order in every process, so that two processes cannot deadlock. */
const inOneOrder = <Row>(rows: ReadonlyMap<string, Row>): Row[] =>
  [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)

function batches<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, at) => rows.slice(at * BATCH, (at + 1) * BATCH))
}

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
  const usersIn = ({ span_ms, start, end }: SpanRange) =>
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
    rowsByUser: (range: SpanRange, most: number) =>
      database
        .selectFrom(
          usersIn(range)
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
    countsByUser: (
      range: SpanRange,
      { route_path, method }: { route_path?: string | undefined; method?: string | undefined },
    ): Counted =>
      usersIn(range)
        .$if(route_path !== undefined, query => query.where('route_path', '=', route_path ?? ''))
        .$if(method !== undefined, query => query.where('method', '=', method ?? ''))
        .select(({ fn }) => ['user_id', fn.sum<number>('requests').as('count')])
        .groupBy('user_id') as unknown as Counted, // whichever table they are counted from
  }
}

const bucketOf = ({ start, granularity_ms }: SpanRange) =>
  sql<number>`(start_time - cast(${start} as bigint)) / cast(${granularity_ms} as bigint)`
