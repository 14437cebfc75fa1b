import {
  LOGGED_OUTCOMES,
  type AskTotals,
  type LoggedAsk,
  type LoggedOutcome,
  type exportAsks,
  type listLoggedAsks,
  type readAskTotals,
} from '#contract/askLog.ts'
import type { QueryOf, ResultOf } from '#contract/call.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { AskLog, listAskLogs } from '#contract/logFiles.ts'
import type { Source } from '#contract/models.ts'
import { rowsAsked } from '#contract/paging.ts'
import { CHARGED_WHOLE } from '#contract/quietAsks.ts'
import { fromMillionths } from '#contract/prices.ts'
import { type Clock, wallTimeOf } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { type Cell, csvRow } from '#server/foundation/csv.ts'
import { csvAnswer } from '#server/foundation/http/download.ts'
import type { HttpAnswer } from '#server/foundation/http/route.ts'
import { type AskFilter, askLogReader } from './askLogStore.ts'
import { countedUsers } from './countedUsers.ts'
import { rangeOf } from './range.ts'

/** People who are listed by name; the others are one sum. */
const MAX_PEOPLE = 20
/** Rows that the export reads at a time. */
const EXPORTED_AT_ONCE = 2_000
/** Rows of an answer to an old client, unless it says how many, and at most. */
const OLD_RESULTS = 100
const MAX_OLD_RESULTS = 10_000

/** The portal's times are shown in its zone, and money in its currency. */
type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration }

export type AskLogs = ReturnType<typeof openAskLogs>

/** The log of asks as superusers read it. Everything is read by `readOnly()`. */
export function openAskLogs({ open, clock, configuration }: Dependencies) {
  const reader = () => askLogReader(open.readOnly())
  const filterOf = (query: QueryOf<typeof readAskTotals>): AskFilter => ({
    ...rangeOf(query, clock.now()),
    person: query.person === undefined ? null : Number(query.person),
    source: query.source ?? null,
    model: query.model ?? null,
    outcome: query.outcome ?? null,
    words: query.words === undefined || query.words === '' ? null : query.words,
  })

  /** The lines of the export in batches, each read when the one before has been sent. */
  async function* exported(filter: AskFilter, time_zone: string): AsyncGenerator<string> {
    const heads: Partial<Record<Column, string>> = {
      time: `time (${time_zone})`,
      cost: `cost (${configuration().money.currency})`,
    }
    yield csvRow(COLUMNS.map(column => heads[column] ?? column))
    let cursor = { time: filter.from, id: -1 }
    for (;;) {
      const rows = await reader().after(filter, cursor, EXPORTED_AT_ONCE)
      if (rows.length > 0) yield rows.map(row => csvRow(cellsOf(row, time_zone))).join('')
      const last = rows.at(-1)
      if (last === undefined || rows.length < EXPORTED_AT_ONCE) return
      cursor = { time: last.log_time, id: last.id }
    }
  }

  return {
    async list(query: QueryOf<typeof listLoggedAsks>): Promise<ResultOf<typeof listLoggedAsks>> {
      const filter = filterOf(query)
      const { sort = 'time', order = 'desc' } = query
      const [rows, total] = await Promise.all([
        reader().page(filter, { sort, order }, rowsAsked(query)),
        reader().count(filter),
      ])
      return { rows: rows.map(loggedAskOf), total }
    },

    async totals(query: QueryOf<typeof readAskTotals>): Promise<AskTotals> {
      const filter = filterOf(query)
      const [rows, { people, total, sum }, models] = await Promise.all([
        reader().totals(filter),
        countedUsers(open.readOnly(), reader().countsByUser(filter), MAX_PEOPLE),
        reader().models(filter),
      ])
      const all = (of: (row: (typeof rows)[number]) => number) => rows.reduce((before, row) => before + of(row), 0)
      const [admitted, answered] = [
        all(row => (row.outcome === 'refused' ? 0 : row.asks)),
        all(row => row.answered_asks),
      ]
      const counts = new Map(rows.map(row => [row.outcome, row.asks]))
      return {
        from: iso(filter.from),
        to: iso(filter.to),
        asks: sum,
        prompt_tokens: all(row => row.prompt),
        completion_tokens: all(row => row.completion),
        tokens_estimated: all(row => row.estimated) > 0,
        mean_queueing_time: mean(
          all(row => row.queueing_time),
          admitted,
        ),
        mean_ask_time: mean(
          all(row => row.ask_time),
          answered,
        ),
        outcomes: Object.fromEntries(
          LOGGED_OUTCOMES.map(outcome => [outcome, counts.get(outcome) ?? 0]),
        ) as AskTotals['outcomes'], // one for each
        people: people.map(({ count, ...person }) => ({ ...person, asks: count })),
        others: {
          people: total - people.length,
          asks: sum - people.reduce((before, { count }) => before + count, 0),
        },
        // only the two sources are ever stored
        models: models.map(model => ({ ...model, source: model.source as Source })),
      }
    },

    export(query: QueryOf<typeof exportAsks>): HttpAnswer {
      const filter = filterOf(query)
      const { time_zone } = configuration().portal
      const [from, to] = [filter.from, filter.to].map(time => wallTimeOf(time, time_zone).slice(0, 10))
      return csvAnswer(`asks-${from}-${to}.csv`, exported(filter, time_zone))
    },

    /** For old clients: asks that have at least a part of an answer, newest first. */
    async answered({ start_time, end_time, max_results }: QueryOf<typeof listAskLogs>): Promise<AskLog[]> {
      const range = {
        from: start_time === undefined ? 0 : Date.parse(start_time),
        to: end_time === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(end_time),
      }
      const limit = max_results === undefined ? OLD_RESULTS : Math.min(Number(max_results), MAX_OLD_RESULTS)
      const rows = await reader().answered(range, limit)
      return rows.map(row => ({
        _id: row.id.toString(16).padStart(24, '0'),
        time: iso(row.log_time),
        meta: { source: row.source as Source, model: row.model }, // only the two sources are ever stored
        user_id: row.user_id,
        conversation_id: row.conversation_id,
        queueing_time: row.queueing_time,
        ask_time: row.ask_time,
      }))
    },
  }
}

type Row = Awaited<ReturnType<ReturnType<typeof askLogReader>['page']>>[number]

const loggedAskOf = (row: Row): LoggedAsk => ({
  id: row.id,
  time: iso(row.log_time),
  user_id: row.user_id,
  nickname: row.nickname,
  conversation_id: row.conversation_id,
  title: row.title,
  source: row.source as Source, // only the two sources are ever stored
  model: row.model,
  upstream_id: row.upstream_id,
  upstream_label: row.label ?? '',
  queueing_time: row.queueing_time,
  ask_time: row.ask_time,
  prompt_tokens: row.prompt_tokens,
  completion_tokens: row.completion_tokens,
  cached_tokens: row.cached_tokens,
  cost: row.cost === null ? null : fromMillionths(row.cost),
  tokens_estimated: row.tokens_estimated,
  charged: row.answered ? row.charged / CHARGED_WHOLE : 0,
  outcome: row.outcome as LoggedOutcome, // only completion and limits.ts write it
  failure: row.failure_key,
})

const COLUMNS = [
  'time',
  'user_id',
  'nickname',
  'conversation_id',
  'title',
  'source',
  'model',
  'upstream_id',
  'upstream_label',
  'queueing_time',
  'ask_time',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'tokens_estimated',
  'cost',
  'charged',
  'outcome',
  'failure',
] as const satisfies readonly (keyof LoggedAsk)[]
type Column = (typeof COLUMNS)[number]

/** A time as spreadsheets read it: they know no time zones. Of money all six decimals: 0.000001, not 1e-6. */
function cellsOf(row: Row, time_zone: string): Cell[] {
  const ask = { ...loggedAskOf(row), time: { plain: wallTimeOf(row.log_time, time_zone) } }
  const cost = ask.cost === null ? null : { plain: ask.cost.toFixed(6) }
  return COLUMNS.map(column => (column === 'cost' ? cost : ask[column]))
}

const mean = (sum: number, count: number): number | null =>
  count === 0 ? null : Math.round((sum / count) * 1000) / 1000

const iso = (time: number): string => new Date(time).toISOString()
