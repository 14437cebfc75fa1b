import type { Database } from '#server/foundation/database/open.ts'

/** The id of nobody. */
const FORGOTTEN = 0

/** All that somebody has, deleted conversations and withdrawn messages too: for an export or the end of it. Queries and nothing else. */
export function personStore(database: Database) {
  return {
    conversationsAfter: (user_id: number, id: number, limit: number) =>
      database
        .selectFrom('conversations')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .execute(),

    withdrawnOf: (conversation_id: string) =>
      database
        .selectFrom('messages')
        .selectAll()
        .where('conversation_id', '=', conversation_id)
        .where('withdraw_time', 'is not', null)
        .orderBy('position')
        .execute(),

    /** Removes some of the conversations, with their messages and what the search knows of them. Gives how many. */
    async removeSome(user_id: number, limit: number): Promise<number> {
      const some = database.selectFrom('conversations').select('id').where('user_id', '=', user_id).limit(limit)
      const { numDeletedRows } = await database
        .deleteFrom('conversations')
        .where('id', 'in', some)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    /** Whoever hid conversations is not known any more. Nobody, which `hidden_by` null says, is another thing: then the upstream had it no more. */
    async forgetActs(user_id: number): Promise<void> {
      await database
        .updateTable('conversations')
        .set({ hidden_by: FORGOTTEN })
        .where('hidden_by', '=', user_id)
        .execute()
      await database.updateTable('deletions').set({ deleted_by: FORGOTTEN }).where('deleted_by', '=', user_id).execute()
    },
  }
}
