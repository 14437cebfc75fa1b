import { type Expression, type Insertable, sql } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { type Engine, forUpdate, type RowOf } from '#server/foundation/database/schema/definition.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'

export type GiftRow = RowOf<typeof tables.share_gifts>

/**
 * `amount`: what of the gift counts in the window that began `since`: all that was not used before it, and once it is
 * over, what was used within the window. It is the receiver's and no longer the giver's. `used`: of that.
 */
export type LivingGift = Pick<GiftRow, 'id' | 'from_id' | 'to_id' | 'window_key' | 'until'> & {
  amount: number
  used: number
}

/** What was used of the gift of a row. */
const usesOfGift = (database: Database) =>
  database
    .selectFrom('share_gift_uses')
    .whereRef('share_gift_uses.gift_id', '=', sql.ref('share_gifts.id'))
    .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('share_gift_uses.amount'), lit(0)).as('used'))

type Moment = number | Expression<number>

const usedSince = (database: Database, since: Moment) =>
  sql<number>`(${usesOfGift(database).where('share_gift_uses.asked_time', '>=', since)})`
const usedBefore = (database: Database, since: Moment) =>
  sql<number>`(${usesOfGift(database).where('share_gift_uses.asked_time', '<', since)})`

/**
 * Subquery: the gifts that count in the longest window of a pool, which began `since`: they move `amount` from one
 * share of `window_key` to another, and the caller says of which accounts. A gift that is over counts with what was
 * used of it.
 */
export const livingGifts = (database: Database, { since, now }: { since: Moment; now: number }) =>
  database
    .selectFrom('share_gifts')
    .where('share_gifts.end_time', '>', since)
    .select(({ eb }) => [
      'share_gifts.id',
      'share_gifts.from_id',
      'share_gifts.to_id',
      'share_gifts.window_key',
      'share_gifts.until',
      eb
        .case()
        .when('share_gifts.end_time', '>', now)
        .then(eb('share_gifts.amount', '-', usedBefore(database, since)))
        .else(usedSince(database, since))
        .end()
        .as('amount'),
      usedSince(database, since).as('used'),
    ])

type GiftUse = { gift_id: number; ask_id: string; asked_time: number; amount: number }

const use = prepared((database, used: GiftUse) =>
  database
    .insertInto('share_gift_uses')
    .values(used)
    .onConflict(conflict => conflict.columns(['gift_id', 'ask_id']).doUpdateSet({ amount: used.amount })),
)

/** A gift, and what of it has been used. */
export type GiftWithUse = GiftRow & { used: number }

/** Gifts that are listed besides those that count. */
const MAX_ENDED = 100

/** Parts of shares that are given, and what was used of them. Queries and nothing else. */
export function giftStore(database: Database) {
  const gifts = () =>
    database
      .selectFrom('share_gifts')
      .selectAll()
      .select(sql<number>`(${usesOfGift(database)})`.as('used'))
  return {
    insert: (row: Insertable<Tables['share_gifts']>): Promise<GiftRow> =>
      database.insertInto('share_gifts').values(row).returningAll().executeTakeFirstOrThrow(),

    find: (id: number): Promise<GiftWithUse | undefined> => gifts().where('id', '=', id).executeTakeFirst(),

    /** Keeps it as it is until the end of the transaction. */
    lock: (id: number, engine: Engine) =>
      database.selectFrom('share_gifts').select('id').where('id', '=', id).$call(forUpdate(engine)).executeTakeFirst(),

    /** Given to a person or by them: those that are not over, then the latest. */
    ofPerson: (user_id: number): Promise<GiftWithUse[]> =>
      gifts()
        .where(({ or, eb }) => or([eb('from_id', '=', user_id), eb('to_id', '=', user_id)]))
        .orderBy('end_time', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_ENDED)
        .execute(),

    /** What was granted from what an account keeps for its owner, as it counts in a window. */
    ofReserve: async (
      upstream_id: number,
      { key, ...at }: { key: string; since: number; now: number },
    ): Promise<number> => {
      const rows = await livingGifts(database, at)
        .where('share_gifts.upstream_id', '=', upstream_id)
        .where('share_gifts.window_key', '=', key)
        .where('share_gifts.of_reserve', '=', true)
        .execute()
      return rows.reduce((sum, { amount }) => sum + amount, 0)
    },

    /** It is over from now on. */
    end: (id: number, end_time: number) =>
      database.updateTable('share_gifts').set({ end_time }).where('id', '=', id).execute(),

    /** An ask takes so much of a gift. */
    use: (used: GiftUse) => use.run(database, used),

    /** An ask used so much less than it had reserved: what it took last is given back first. */
    async giveBack(ask_id: string, less: number): Promise<void> {
      const taken = await database
        .selectFrom('share_gift_uses')
        .innerJoin('share_gifts', 'share_gifts.id', 'share_gift_uses.gift_id')
        .where('share_gift_uses.ask_id', '=', ask_id)
        .select(['share_gift_uses.gift_id', 'share_gift_uses.amount'])
        .orderBy('share_gifts.until', 'desc')
        .orderBy('share_gifts.id', 'desc')
        .execute()
      let back = less
      for (const { gift_id, amount } of taken) {
        const part = Math.min(amount, back)
        back -= part
        await database
          .updateTable('share_gift_uses')
          .set({ amount: amount - part })
          .where('gift_id', '=', gift_id)
          .where('ask_id', '=', ask_id)
          .execute()
      }
    },
  }
}
