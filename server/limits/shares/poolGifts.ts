import { sql } from 'kysely'
import type { Database } from '#server/foundation/database/open.ts'
import { livingGifts } from '#server/usage/giftStore.ts'

/** Of the window that a gift is of: when an ask opened it, where one begins with an ask and is open. */
const beginning = (since: number) =>
  sql<number>`coalesce((select max(opened_at) from pool_openings where pool_openings.upstream_id = share_gifts.upstream_id
    and pool_openings.window_key = share_gifts.window_key and pool_openings.opened_at > ${since}), ${since})`

type OfPool = { now: number; since: number; upstream_ids: readonly number[] }

/** Subquery: the gifts that count in the longest window of a pool, which began `since` at the earliest. */
export const giftsOfPool = (database: Database, { now, since, upstream_ids }: OfPool) =>
  livingGifts(database, { now, since: beginning(since) }).where('share_gifts.upstream_id', 'in', upstream_ids)
