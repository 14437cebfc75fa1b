import { type SelectQueryBuilder, sql } from 'kysely'
import { type Source, SOURCES } from '#contract/models.ts'
import { CHARGED_WHOLE } from '#contract/quietAsks.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { upstreamLabels } from '#server/upstreams/store.ts'
import { nicknames } from '#server/users/store.ts'
import { HALF_HOUR } from '../usageLedger.ts'
import type { Span } from './months.ts'

/** Which use is asked for; null where the filter does not say. */
export type UsageFilter = Span & {
  /** Of these people, or of everybody. */
  user_ids: readonly number[] | null
  source: Source | null
  model: string | null
  /** Whether it goes on to the present moment: then the last half hour is not read line by line. */
  is_open: boolean
}

/** What is added up. Money in millionths, times in milliseconds, asks that are not paid in thousandths. */
const SUMMED = [
  'asks',
  'uncharged_asks',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'estimated_asks',
  'cost',
  'ask_time_ms',
] as const
type Summed = Record<(typeof SUMMED)[number], number>
export type UsedRow = Summed & { user_id: number; source: string; upstream_id: number; model: string }

const KEYS = ['user_id', 'source', 'upstream_id', 'model'] as const

type Part = SelectQueryBuilder<Tables, never, UsedRow & { start_time: number }>

const halfHourBefore = (time: number): number => time - (time % HALF_HOUR)
const halfHourAfter = (time: number): number => Math.ceil(time / HALF_HOUR) * HALF_HOUR

/** The beginning of a month of UTC, so many months later. */
function monthOf(time: number, later = 0): number {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later)
}

/** The beginning of a month that is nearest. */
const nearestMonth = (time: number): number =>
  time - monthOf(time) <= monthOf(time, 1) - time ? monthOf(time) : monthOf(time, 1)

/**
 * What was used, from sums: whole months where `withMonths` says that no smaller span is asked for, with half hours
 * added to them or taken from them where the span begins and ends; and single lines of the ledger within a half hour.
 * So a month of any time zone takes a month of UTC and some hours.
 */
function usedIn(database: Database, filter: UsageFilter, withMonths: boolean): Part {
  const from = halfHourAfter(filter.from)
  const to = filter.is_open ? halfHourAfter(filter.to) : halfHourBefore(filter.to)
  if (from > to) return ofLedger(database, filter, filter)
  const edges = [
    { from: filter.from, to: from },
    { from: to, to: filter.to },
  ].filter(edge => edge.from < edge.to)
  const parts = [
    ...sumsIn(database, filter, { from, to }, withMonths),
    ...edges.map(edge => ofLedger(database, filter, edge)),
  ]
  return parts.reduce((all, part) => all.unionAll(part))
}

function sumsIn(database: Database, filter: UsageFilter, { from, to }: Span, withMonths: boolean): Part[] {
  // Of the month that it is now there is nothing behind the present.
  const [start, end] = [nearestMonth(from), filter.is_open ? monthOf(to, 1) : nearestMonth(to)]
  if (!withMonths || start >= end) return [ofSums(database, filter, 'usage_sums', { from, to })]
  const halfHours = (span: Span, sign: 1 | -1): Part[] =>
    span.from < span.to ? [ofSums(database, filter, 'usage_sums', span, sign)] : []
  return [
    ofSums(database, filter, 'usage_months', { from: start, to: end }),
    ...halfHours({ from, to: start }, 1),
    ...halfHours({ from: start, to: from }, -1),
    ...halfHours({ from: end, to }, 1),
    ...(filter.is_open ? [] : halfHours({ from: to, to: end }, -1)),
  ]
}

function ofSums(
  database: Database,
  filter: UsageFilter,
  table: 'usage_sums' | 'usage_months',
  { from, to }: Span,
  sign: 1 | -1 = 1,
): Part {
  const { user_ids, source, model } = filter
  return database
    .selectFrom(table)
    .where('start_time', '>=', from)
    .where('start_time', '<', to)
    .$if(user_ids !== null, query => query.where('user_id', 'in', user_ids ?? []))
    .$if(source !== null, query => query.where('source', '=', source ?? ''))
    .$if(model !== null, query => query.where('model', '=', model ?? ''))
    .select([
      ...KEYS,
      'start_time',
      ...SUMMED.map(column => (sign === 1 ? column : sql<number>`-${sql.ref(column)}`.as(column))),
    ]) as unknown as Part // the union needs one type of all
}

function ofLedger(database: Database, filter: UsageFilter, { from, to }: Span): Part {
  return (
    linesOf(database, { ...filter, from, to })
      .where('reason', '=', 'settled')
      // So that the index is used, which begins with person and source.
      .$if(filter.user_ids === null, query => query.where('user_id', 'in', everybody(database)))
      .$if(filter.source === null, query => query.where('source', 'in', SOURCES))
      .select([
        ...KEYS,
        'asked_time as start_time',
        'asks',
        UNCHARGED.as('uncharged_asks'),
        'input_tokens',
        'cached_tokens',
        'output_tokens',
        sql<number>`case when estimated then asks else 0 end`.as('estimated_asks'),
        'cost',
        // how long it waited for its turn is not in the ledger
        sql<number>`time - asked_time`.as('ask_time_ms'),
      ]) as unknown as Part
  )
}

const UNCHARGED = sql<number>`asks * (${sql.lit(CHARGED_WHOLE)} - charged)`

/** Subquery: all people, and nobody, to whom belongs what erased people used. */
const everybody = (database: Database) =>
  database
    .selectFrom(nicknames(database).as('named'))
    .select('named.id')
    .unionAll(database.selectNoFrom(sql<number>`0`.as('id')))

const linesOf = (database: Database, { from, to, user_ids, source, model }: UsageFilter) =>
  database
    .selectFrom('usage_ledger')
    .where('asked_time', '>=', from)
    .where('asked_time', '<', to)
    .$if(user_ids !== null, query => query.where('user_id', 'in', user_ids ?? []))
    .$if(source !== null, query => query.where('source', '=', source ?? ''))
    .$if(model !== null, query => query.where('model', '=', model ?? ''))

/** Reads what was used. Queries and nothing else. */
export function usageReader(database: Database) {
  return {
    /** By person, source, account and model: for administrators, and for each person of themselves. */
    table: (filter: UsageFilter): Promise<UsedRow[]> =>
      database
        .selectFrom(usedIn(database, filter, true).as('used'))
        .groupBy(KEYS)
        // Of somebody whose use was all taken from a month nothing is left.
        .having(({ fn }) => fn.sum('asks'), '>', 0)
        .select(({ fn }) => [...KEYS, ...SUMMED.map(column => fn.sum<number>(column).as(column))])
        .execute() as unknown as Promise<UsedRow[]>, // the columns of the list

    /** The same by half hours, or moments in one: days of whatever zone are added up of them. */
    moments: (filter: UsageFilter) => usedIn(database, filter, false).orderBy('start_time').execute(),

    /** Lines of the ledger with the names of accounts, the latest or (for a file) the earliest first. */
    lines: (filter: UsageFilter, { limit, offset, order }: { limit: number; offset: number; order: 'asc' | 'desc' }) =>
      linesOf(database, filter)
        .leftJoin(upstreamLabels(database).as('upstream'), 'upstream.id', 'usage_ledger.upstream_id')
        .selectAll('usage_ledger')
        .select('upstream.label')
        .orderBy('usage_ledger.asked_time', order)
        .orderBy('usage_ledger.id', order)
        .limit(limit)
        .offset(offset)
        .execute(),

    countLines: (filter: UsageFilter) =>
      linesOf(database, filter)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
        .then(row => row.count),

    /** The lines of asks, added up one by one. */
    sumOfLines: (filter: UsageFilter) =>
      linesOf(database, filter)
        .where('reason', '=', 'settled')
        .select(({ fn }) => [
          fn.countAll<number>().as('lines'),
          ...(['asks', 'input_tokens', 'cached_tokens', 'output_tokens', 'cost'] as const).map(column =>
            sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as(column),
          ),
          sql<number>`coalesce(sum(${UNCHARGED}), 0)`.as('uncharged_asks'),
        ])
        .executeTakeFirstOrThrow() as unknown as Promise<
        Omit<Summed, 'estimated_asks' | 'ask_time_ms'> & { lines: number }
      >,

    labels: async (): Promise<ReadonlyMap<number, string>> => {
      const rows = await upstreamLabels(database).execute()
      return new Map(rows.map(({ id, label }) => [id, label]))
    },
  }
}

export type UsageLineRow = Awaited<ReturnType<ReturnType<typeof usageReader>['lines']>>[number]
