import { type RawBuilder, sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import { CHARGED_WHOLE, paidOf } from '#contract/quietAsks.ts'
import type { Reserved } from '#server/asks/ask.ts'
import { activeAsks } from '#server/asks/store.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { HALF_HOUR, usedLines, usedSums } from '#server/usage/usageLedger.ts'
import type { WindowSpan } from './windows.ts'

/**
 * What was used of a model, as far as it is charged: half of what was asked when it was quiet. Money that credits paid
 * is not of a limit.
 */
export type ModelUse = { model: string; asks: number; tokens: number; cost: number }

/** By the keys of the spans: what was settled, and what running asks may use at most. */
export type Using = {
  settled: ReadonlyMap<string, readonly ModelUse[]>
  running: ReadonlyMap<string, readonly ModelUse[]>
}

type Owner = { user_id: number; source: Source }
type Asked = Owner & { key_id: number | null; now: number; spans: ReadonlyMap<string, WindowSpan> }

/** So much of an amount is charged, rounded up. */
const charged = (amount: RawBuilder<number>) =>
  sql<number>`${amount} - ${amount} * (${sql.lit(CHARGED_WHOLE)} - charged) / ${sql.lit(CHARGED_WHOLE)}`

/** Asks in thousandths. */
const ofLine = [
  'model',
  sql<number>`asks * charged`.as('asks'),
  charged(sql<number>`tokens`).as('tokens'),
  sql<number>`${charged(sql<number>`cost`)} - credit_cost`.as('cost'),
] as const
/** The same of a key, whose limits count what credits paid, too. */
const ofKeyLine = [
  'model',
  sql<number>`asks * charged`.as('asks'),
  charged(sql<number>`tokens`).as('tokens'),
  charged(sql<number>`cost`).as('cost'),
] as const
const SUM_ASKS = sql<number>`asks * ${sql.lit(CHARGED_WHOLE)} - uncharged_asks`
const SUM_TOKENS = sql<number>`input_tokens + output_tokens - uncharged_tokens`
const SUM_COST = sql<number>`cost - uncharged_cost - credit_cost`

/** In place of a span: an ask that runs. */
const RUNNING = '-'

/** Rows of one statement, so that all of it is read at one moment. */
export async function usedWithin(database: Database, { user_id, source, key_id, now, spans }: Asked): Promise<Using> {
  if (spans.size === 0) return { settled: new Map(), running: new Map() }
  const living = activeAsks(database)
    .where('user_id', '=', user_id)
    .where('source', '=', source)
    .$if(key_id !== null, query => query.where('key_id', '=', key_id))
    .select([
      sql<string>`cast(${RUNNING} as text)`.as('span'),
      'model',
      sql<number>`0`.as('asks'),
      sql<number>`0`.as('tokens'),
      sql<number>`0`.as('cost'),
      'create_time',
      'reserved',
      'charged',
    ])
  const query = [...spans].reduce(
    (all, [key, span]) =>
      all.unionAll(
        key_id === null
          ? settledIn(database, { user_id, source, key, span, now })
          : settledOfKey(database, { user_id, source, key_id, key, span, now }),
      ),
    living,
  )
  const rows = await query.execute()
  const running = rows.filter(({ span }) => span === RUNNING)
  return {
    settled: Map.groupBy(
      rows.filter(({ span }) => span !== RUNNING),
      ({ span }) => span,
    ),
    running: new Map(
      [...spans].map(([key, span]) => [
        key,
        running
          .filter(({ create_time }) => isWithin(create_time, span, now))
          .map(row => reservedOf(row, key_id === null)),
      ]),
    ),
  }
}

type RunningAsk = { model: string; reserved: unknown; charged: number }

/** Admission wrote what it may use at most. What credits pay is of a key's limit, too. */
function reservedOf({ model, reserved, charged }: RunningAsk, withoutCredits: boolean): ModelUse {
  const { use } = reserved as Reserved
  const cost = paidOf(use?.cost ?? 0, charged) - (withoutCredits ? (use?.credit_cost ?? 0) : 0)
  return { model, asks: charged, tokens: paidOf(use?.tokens ?? 0, charged), cost }
}

/** What was asked longer after now than before it, was asked before the clock was set back. */
const isWithin = (time: number, { starts, ends }: WindowSpan, now: number): boolean =>
  time >= (starts ?? 0) && time < endOf({ starts, ends }, now)

const endOf = ({ starts, ends }: WindowSpan, now: number): number =>
  ends ?? (starts === null ? Number.MAX_SAFE_INTEGER : now + (now - starts))

type InSpan = Owner & { key: string; span: WindowSpan; now: number }

/**
 * By model: whole half hours from their sums, and what lies between the edges of the span and of half hours from single
 * lines. Long windows so cost little more than short ones.
 */
function settledIn(database: Database, { user_id, source, key, span, now }: InSpan) {
  const [from, to] = [span.starts ?? 0, endOf(span, now)]
  const first = Math.ceil(from / HALF_HOUR) * HALF_HOUR
  const last = to === Number.MAX_SAFE_INTEGER ? to : Math.max(first, Math.floor(to / HALF_HOUR) * HALF_HOUR)
  const lines = (since: number, before: number) =>
    usedLines(database)
      .where('user_id', '=', user_id)
      .where('source', '=', source)
      .where('asked_time', '>=', since)
      .where('asked_time', '<', before)
      .select(ofLine)
  const sums = usedSums(database)
    .where('user_id', '=', user_id)
    .where('start_time', '>=', first)
    .where('start_time', '<', last)
    .where('source', '=', source)
    .select(['model', SUM_ASKS.as('asks'), SUM_TOKENS.as('tokens'), SUM_COST.as('cost')])
  const parts = [
    ...(from < Math.min(first, to) ? [lines(from, Math.min(first, to))] : []),
    ...(last < to && last >= first && to > first ? [lines(last, to)] : []),
  ]
  const all = parts.reduce((query, part) => query.unionAll(part), sums)
  return database.selectFrom(all.as('used')).groupBy('model').select(summedIn(key))
}

/** By model: what a key used. Its lines alone are read; there are no sums of keys. */
function settledOfKey(database: Database, { key_id, source, key, span, now }: InSpan & { key_id: number }) {
  const lines = usedLines(database)
    .where('key_id', '=', key_id)
    .where('source', '=', source)
    .where('asked_time', '>=', span.starts ?? 0)
    .where('asked_time', '<', endOf(span, now))
    .select(ofKeyLine)
  return database.selectFrom(lines.as('used')).groupBy('model').select(summedIn(key))
}

/** What the rows of a span have in common with those of running asks. */
const summedIn = (key: string) =>
  [
    sql<string>`cast(${key} as text)`.as('span'),
    'model',
    sql<number>`cast(sum(asks) as ${INTEGER})`.as('asks'),
    sql<number>`cast(sum(tokens) as ${INTEGER})`.as('tokens'),
    sql<number>`cast(sum(cost) as ${INTEGER})`.as('cost'),
    sql<number>`0`.as('create_time'),
    sql<unknown>`null`.as('reserved'),
    sql<number>`${sql.lit(CHARGED_WHOLE)}`.as('charged'),
  ] as const

/** A sum of whole numbers is a decimal on PostgreSQL. */
const INTEGER = sql.raw('bigint')

type Lines = Owner & { from: number; models: readonly string[] | null }

/** The sums of a person from the half hour of a moment on, the earliest first, all models and upstreams together. */
export const sumsAfter = (database: Database, { user_id, source, from, models }: Lines) =>
  usedSums(database)
    .where('user_id', '=', user_id)
    .where('start_time', '>', from - HALF_HOUR)
    .where('source', '=', source)
    .$if(models !== null, query => query.where('model', 'in', models ?? []))
    .groupBy('start_time')
    .orderBy('start_time')
    .select([
      'start_time',
      sql<number>`cast(sum(${SUM_ASKS}) as ${INTEGER})`.as('asks'),
      sql<number>`cast(sum(${SUM_TOKENS}) as ${INTEGER})`.as('tokens'),
      sql<number>`cast(sum(${SUM_COST}) as ${INTEGER})`.as('cost'),
    ])
    .execute()

/** The asks of one half hour, from a moment on, the earliest first. */
export const linesOfHalfHour = (
  database: Database,
  { user_id, source, from, models, start_time }: Lines & { start_time: number },
) =>
  usedLines(database)
    .where('user_id', '=', user_id)
    .where('source', '=', source)
    .where('asked_time', '>=', Math.max(from, start_time))
    .where('asked_time', '<', start_time + HALF_HOUR)
    .$if(models !== null, query => query.where('model', 'in', models ?? []))
    .orderBy('asked_time')
    .orderBy('id')
    .select(['asked_time', ...ofLine])
    .execute()

/** The asks of a key from a moment on, the earliest first. */
export const linesOfKey = (database: Database, { key_id, source, from, models }: Lines & { key_id: number }) =>
  usedLines(database)
    .where('key_id', '=', key_id)
    .where('source', '=', source)
    .where('asked_time', '>=', from)
    .$if(models !== null, query => query.where('model', 'in', models ?? []))
    .orderBy('asked_time')
    .orderBy('id')
    .select(['asked_time', ...ofKeyLine])
    .execute()
