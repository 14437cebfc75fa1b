import type { Database } from '#server/foundation/database/open.ts'
import { type PoolLine, THOUSANDTHS } from '#server/limits/shares/pool.ts'
import { usedLines } from '#server/usage/usageLedger.ts'

type Options = { upstream_ids: readonly number[]; user_id: number; since: number; limit: number }

/** What somebody asked a pool, and what others borrowed of theirs, the latest first. */
export async function linesOf(
  database: Database,
  { upstream_ids, user_id, since, limit }: Options,
): Promise<PoolLine[]> {
  const rows = await usedLines(database)
    .select(['user_id', 'asked_time', 'model', 'asks', 'tokens', 'cost', 'charged', 'borrowed_key', 'lender_id'])
    .where('upstream_id', 'in', upstream_ids)
    .where('asked_time', '>=', since)
    .where(({ or, eb }) => or([eb('user_id', '=', user_id), eb('lender_id', '=', user_id)]))
    .orderBy('asked_time', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ asks, cost, ...line }) => ({ ...line, asks: asks * THOUSANDTHS, money: cost }))
}
