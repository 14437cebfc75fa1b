import type { Insertable, Updateable } from 'kysely'
import type { LimitUnit } from '#contract/plans.ts'
import type { Source } from '#contract/models.ts'
import { type Engine, forUpdate, type RowOf } from '#server/foundation/database/schema/definition.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'

export type UsageRequestRow = RowOf<typeof tables.usage_requests>

/** Subquery: what was granted to a person beyond their limits and is still in force. */
export const liveGrants = (database: Database, { user_id, now }: { user_id: number; now: number }) =>
  database
    .selectFrom('usage_requests')
    .where('user_id', '=', user_id)
    .where('granted_until', 'is not', null)
    .where('granted_until', '>', now)
    .where('upstream_id', 'is', null)

/** Beyond every limit of this source and unit; money in millionths. */
export type Grant = { source: Source; unit: LimitUnit; amount: number }

/** Requests that are listed besides the open ones. */
const MAX_ANSWERED = 200

/** Requests for more, and what people have been shown. Queries and nothing else. */
export function requestStore(database: Database) {
  const requests = () => database.selectFrom('usage_requests').selectAll()
  return {
    async insert(row: Insertable<Tables['usage_requests']>): Promise<UsageRequestRow> {
      return database.insertInto('usage_requests').values(row).returningAll().executeTakeFirstOrThrow()
    },

    find: (id: number) => requests().where('id', '=', id).executeTakeFirst(),
    findForUpdate: (id: number, engine: Engine) =>
      requests().where('id', '=', id).$call(forUpdate(engine)).executeTakeFirst(),

    /** Of an account, or of a source and unit beyond one's limits. */
    openOf: ({
      user_id,
      source,
      unit,
      upstream_id,
    }: Pick<UsageRequestRow, 'user_id' | 'source' | 'unit' | 'upstream_id'>) =>
      requests()
        .where('decision', 'is', null)
        .where('user_id', '=', user_id)
        .where('upstream_id', upstream_id === null ? 'is' : '=', upstream_id)
        .$if(upstream_id === null, query => query.where('source', '=', source).where('unit', '=', unit))
        .executeTakeFirst(),

    /** Those of accounts that nobody has answered, the oldest first. */
    openOfAccounts: () =>
      requests().where('decision', 'is', null).where('upstream_id', 'is not', null).orderBy('id').execute(),

    /** The oldest first; of everybody (null) or one person. */
    open: (user_id: number | null) =>
      requests()
        .where('decision', 'is', null)
        .$if(user_id !== null, query => query.where('user_id', '=', user_id))
        .orderBy('id')
        .execute(),

    /** The latest first. */
    answered: (user_id: number | null) =>
      requests()
        .where('decision', 'is not', null)
        .$if(user_id !== null, query => query.where('user_id', '=', user_id))
        .orderBy('decide_time', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_ANSWERED)
        .execute(),

    /** Everything that a person ever asked for. */
    listOf: (user_id: number) => requests().where('user_id', '=', user_id).orderBy('id').execute(),

    /** Requests that somebody answered stay answered, by nobody. */
    forgetWhoAnswered: (user_id: number) =>
      database.updateTable('usage_requests').set({ decided_by: null }).where('decided_by', '=', user_id).execute(),

    change: (id: number, change: Updateable<Tables['usage_requests']>) =>
      database.updateTable('usage_requests').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),

    /** Whether it was still open. */
    withdraw: async (id: number): Promise<boolean> => {
      const { numDeletedRows } = await database
        .deleteFrom('usage_requests')
        .where('id', '=', id)
        .where('decision', 'is', null)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** By source and unit, added up. */
    grants: async (user_id: number, now: number): Promise<Grant[]> => {
      const rows = await liveGrants(database, { user_id, now })
        .select(({ fn }) => ['source', 'unit', fn.sum<number>('granted_amount').as('amount')])
        .groupBy(['source', 'unit'])
        .execute()
      return rows as Grant[] // only requests that were parsed are stored
    },

    /** The notices that somebody has been shown, and that are not to be shown again yet. */
    shownTo: async (user_id: number, now: number): Promise<string[]> => {
      const rows = await database
        .selectFrom('usage_notices')
        .select('notice_key')
        .where('user_id', '=', user_id)
        .where(({ eb, or }) => or([eb('until', 'is', null), eb('until', '>', now)]))
        .execute()
      return rows.map(({ notice_key }) => notice_key)
    },

    /** Notes that somebody is shown this; false when they have been, and it is not to be shown again. */
    noteShown: async (notice: { user_id: number; notice_key: string; until: number | null }, now: number) => {
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('usage_notices')
        .values(notice)
        .onConflict(conflict =>
          conflict
            .columns(['user_id', 'notice_key'])
            .doUpdateSet({ until: notice.until })
            .where('usage_notices.until', '<=', now),
        )
        .executeTakeFirstOrThrow()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },
  }
}
