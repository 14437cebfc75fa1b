import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { QueryOf, ResultOf } from '#contract/call.ts'
import type { Source } from '#contract/models.ts'
import type {
  AskPlot,
  PlotUsers,
  readAskPlot,
  readAskStatistics,
  readPlotUsers,
  readRequestPlot,
  readRequestStatistics,
  RequestPlot,
  SystemInfo,
} from '#contract/statistics.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { countUsers } from '#server/users/store.ts'
import { countConversations } from '#server/conversations/store.ts'
import { askPlotReader } from './askPlotReader.ts'
import { askSumStore } from './askSumStore.ts'
import { countedUsers } from './countedUsers.ts'
import { askPlotOf, requestPlotOf } from './plots.ts'
import { bucketsOf, endOf, FINE_UNTIL, granularityOf, HALF_HOUR, rangeOf } from './range.ts'
import { NOBODY } from './requestCounts.ts'
import { requestPlotReader, SHORTEST_SPAN, SPANS } from './requestStore.ts'

/** Most rows of an answer to an old client; the earliest are left out. */
const MAX_ROWS = 40_000
/** People of a bucket that are named. */
const MAX_PEOPLE = 8

export type Statistics = ReturnType<typeof openStatistics>

/** Requests and asks over time. Everything is read by `readOnly()`, from sums that are kept. */
export function openStatistics({ open, clock }: { open: OpenDatabase; clock: Clock }) {
  const readOnly = () => open.readOnly()

  /** The buckets of a plot, from the query as it is asked for. */
  function plotted(query: QueryOf<typeof readAskPlot>) {
    const now = clock.now()
    const range = rangeOf(query, now)
    return bucketsOf(range, granularityOf(query.granularity, range.from, now))
  }

  /** The whole time for which sums of this granularity are kept. Buckets are counted from 0. */
  function keptFor({ granularity }: QueryOf<typeof readAskStatistics>) {
    const now = clock.now()
    const granularity_ms = granularityOf(granularity, now, now)
    const isFine = granularity_ms % HALF_HOUR !== 0
    return { granularity_ms, from: isFine ? now - FINE_UNTIL : 0, to: now }
  }

  return {
    async askPlot(query: QueryOf<typeof readAskPlot>): Promise<AskPlot> {
      const buckets = plotted(query)
      const isFine = buckets.granularity_ms % HALF_HOUR !== 0
      const summedUntil = isFine ? 0 : await askSumStore(readOnly()).summedUntil(clock.now())
      return askPlotOf(buckets, await askPlotReader(readOnly()).packed(buckets, summedUntil))
    },

    async requestPlot(query: QueryOf<typeof readRequestPlot>): Promise<RequestPlot> {
      const buckets = plotted(query)
      const { start, granularity_ms } = buckets
      const range = { span_ms: longestSpan(granularity_ms), granularity_ms, start, end: endOf(buckets) }
      return requestPlotOf(buckets, await requestPlotReader(readOnly()).packed(range))
    },

    /** The people of one bucket, or of one series in it. */
    async people({
      of,
      source,
      model,
      method,
      route_path,
      ...between
    }: QueryOf<typeof readPlotUsers>): Promise<PlotUsers> {
      const now = clock.now()
      const { from, to } = rangeOf(between, now)
      const isWhole = from % HALF_HOUR === 0 && (to % HALF_HOUR === 0 || to === now)
      const span_ms = isWhole || from < now - FINE_UNTIL ? HALF_HOUR : SHORTEST_SPAN
      const range = { span_ms, granularity_ms: span_ms, start: from - (from % span_ms), end: to }
      const { people, total } = await countedUsers(
        readOnly(),
        of === 'asks'
          ? askPlotReader(readOnly()).countsByUser({ from, to }, { source, model })
          : requestPlotReader(readOnly()).countsByUser(range, { route_path, method }),
        MAX_PEOPLE,
      )
      return {
        people: people.map(({ user_id, ...person }) => ({ user_id: user_id === NOBODY ? null : user_id, ...person })),
        total,
      }
    },

    /** For old clients. */
    async requests(query: QueryOf<typeof readRequestStatistics>): Promise<ResultOf<typeof readRequestStatistics>> {
      const { granularity_ms, from, to } = keptFor(query)
      const store = requestPlotReader(readOnly())
      const start = from - (from % granularity_ms)
      const range = { granularity_ms, start, end: to }
      const ofPeople = granularity_ms % HALF_HOUR === 0 ? HALF_HOUR : SHORTEST_SPAN
      const [rows, people] = await Promise.all([
        store.rows({ ...range, span_ms: longestSpan(granularity_ms) }, MAX_ROWS),
        store.rowsByUser({ ...range, span_ms: ofPeople }, MAX_ROWS),
      ])
      const key = (row: { bucket: number; method: string; route_path: string }) =>
        `${row.bucket} ${row.method} ${row.route_path}`
      const user_ids = new Map(people.map(row => [key(row), idsIn(row.user_ids)]))
      return rows.toReversed().map(row => ({
        _id: { start_time: iso(start + row.bucket * granularity_ms), route_path: row.route_path, method: row.method },
        count: row.requests,
        user_ids: user_ids.get(key(row)) ?? [],
        avg_elapsed_ms: Math.round((row.elapsed_ms / row.requests) * 100) / 100,
      }))
    },

    /** For old clients: asks that brought something of an answer. */
    async asks(query: QueryOf<typeof readAskStatistics>): Promise<ResultOf<typeof readAskStatistics>> {
      const { granularity_ms, from, to } = keptFor(query)
      const start = from - (from % granularity_ms)
      const rows = await askPlotReader(readOnly()).rows({ start, granularity_ms }, to, MAX_ROWS)
      return rows.toReversed().map(row => ({
        _id: {
          start_time: iso(start + row.bucket * granularity_ms),
          meta: { source: row.source as Source, model: row.model }, // only the two sources are ever stored
        },
        count: row.asks,
        user_ids: idsIn(row.user_ids),
        total_queueing_time: Math.round(row.queueing_time * 1000) / 1000,
        total_ask_time: Math.round(row.ask_time * 1000) / 1000,
      }))
    },
  }
}

/** The longest span of which the granularity is a multiple. */
const longestSpan = (granularity_ms: number): number =>
  SPANS.findLast(span => granularity_ms % span === 0) ?? SHORTEST_SPAN

/** Comma-separated ids; a blank one, and NOBODY, is null on the wire. */
const idsIn = (text: string): (number | null)[] =>
  text.split(',').map(id => (id === '' || Number(id) === NOBODY ? null : Number(id)))

const iso = (time: number): string => new Date(time).toISOString()

export type SystemInformation = ReturnType<typeof openSystemInformation>

type Dependencies = { open: OpenDatabase; clock: Clock; data_dir: string }

/** Counts of the portal, the start of this process, and the disk space that its data use and have left. */
export function openSystemInformation({ open, clock, data_dir }: Dependencies) {
  const startup_time = clock.now() / 1000

  return async (): Promise<SystemInfo> => {
    const [{ all, ...active }, { total, valid }, bytes, disk] = await Promise.all([
      countUsers(open.readOnly(), clock.now()),
      countConversations(open.readOnly()),
      databaseBytes(open),
      diskOf(data_dir),
    ])
    return {
      startup_time,
      total_user_count: all,
      active,
      total_conversation_count: total,
      valid_conversation_count: valid,
      database: { engine: open.engine, bytes },
      disk,
    }
  }
}

/** Bytes of the database without its write-ahead log. */
async function databaseBytes(open: OpenDatabase): Promise<number | null> {
  const size =
    open.engine === 'sqlite'
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select cast(pg_database_size(current_database()) as double precision) as bytes`
  const { rows } = await size.execute(open.readOnly())
  return rows[0]?.bytes ?? null
}

/** Null when the system does not tell. */
async function diskOf(folder: string): Promise<SystemInfo['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
  } catch {
    return null
  }
}
