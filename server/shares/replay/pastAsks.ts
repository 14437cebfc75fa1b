import { sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import { loggedAsks } from '#server/asks/logStore.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { THOUSANDTHS } from '#server/limits/shares/pool.ts'
import { usedLines } from '#server/usage/usageLedger.ts'
import type { PastAsk } from './replay.ts'

/** What an account refuses by itself or by its shares. */
const REFUSALS = ['poolEmpty', 'shareUsed']
/** Lines that are read of a pool; the latest. */
const MAX_LINES = 60_000
/** Milliseconds: whoever is refused and tries again wanted to ask once. */
const SAME_WISH_MS = 600_000

type Asked = { source: Source; upstream_ids: readonly number[]; since: number }

/** What was asked of a pool since a moment, answered or refused, in the order in which it came. */
export async function readPastAsks(database: Database, asked: Asked): Promise<{ past: PastAsk[]; refused: PastAsk[] }> {
  const lines = await usedLines(database)
    .where('upstream_id', 'in', [...asked.upstream_ids])
    .where('asked_time', '>=', asked.since)
    .where('user_id', '>', 0)
    .select(['user_id', 'asked_time as time', 'model', 'asks', 'tokens', 'cost', 'charged'])
    .orderBy('asked_time', 'desc')
    .limit(MAX_LINES)
    .execute()
  const answered = lines.toReversed().map(({ asks, tokens, cost, ...line }): PastAsk => ({
    ...line,
    need: { asks: asks * THOUSANDTHS, tokens, money: cost },
  }))
  const refused = await readRefused(database, asked, meanNeed(answered))
  return { past: [...answered, ...refused].toSorted((one, other) => one.time - other.time), refused }
}

/** Nobody knows what a refused ask would have used: as much as others did. */
function meanNeed(answered: readonly PastAsk[]): PastAsk['need'] {
  const mean = (of: 'tokens' | 'money') =>
    Math.round(answered.reduce((sum, { need }) => sum + need[of], 0) / Math.max(1, answered.length))
  return { asks: THOUSANDTHS, tokens: mean('tokens'), money: mean('money') }
}

/** The log has no account with a refusal, since none was chosen: of a source with several pools, all refusals count. */
const refusals = (database: Database, { source, since }: Pick<Asked, 'source' | 'since'>) =>
  loggedAsks(database)
    .where('source', '=', source)
    .where('log_time', '>=', since)
    .where('outcome', '=', 'refused')
    .where('failure_key', 'in', REFUSALS)

async function readRefused(database: Database, asked: Asked, need: PastAsk['need']): Promise<PastAsk[]> {
  const rows = await refusals(database, asked)
    .select(['user_id', 'log_time as time', 'model'])
    .orderBy('log_time')
    .limit(MAX_LINES)
    .execute()
  const last = new Map<number, number>()
  return rows.flatMap(({ user_id, time, model }) => {
    if (user_id === null) return []
    const isSame = time - (last.get(user_id) ?? -Infinity) < SAME_WISH_MS
    last.set(user_id, time)
    return isSame ? [] : [{ user_id, time, model, need, charged: THOUSANDTHS }]
  })
}

/** A sum of a person and week: `lender_id` of what was borrowed. */
export type LentSum = { user_id: number; week: number; lender_id: number | null; asks: number }

/** Asks of a pool by week, person and who lent them. */
export const lentSums = (
  database: Database,
  { upstream_ids, since, week_ms }: Omit<Asked, 'source'> & { week_ms: number },
): Promise<LentSum[]> =>
  usedLines(database)
    .where('upstream_id', 'in', [...upstream_ids])
    .where('asked_time', '>=', since)
    .select(({ fn }) => [
      'user_id',
      weekOf('asked_time', since, week_ms),
      sql<number | null>`case when borrowed > 0 then coalesce(lender_id, 0) end`.as('lender_id'),
      fn.countAll<number>().as('asks'),
    ])
    .groupBy(['user_id', 'week', sql`case when borrowed > 0 then coalesce(lender_id, 0) end`])
    .execute()

/** Refusals by week and person. */
export const refusedSums = (
  database: Database,
  { week_ms, ...asked }: Pick<Asked, 'source' | 'since'> & { week_ms: number },
): Promise<{ user_id: number | null; week: number; asks: number }[]> =>
  refusals(database, asked)
    .select(({ fn }) => ['user_id', weekOf('log_time', asked.since, week_ms), fn.countAll<number>().as('asks')])
    .groupBy(['user_id', 'week'])
    .execute()

const weekOf = (column: string, since: number, week_ms: number) =>
  sql<number>`(${sql.ref(column)} - ${sql.lit(since)}) / ${sql.lit(week_ms)}`.as('week')
