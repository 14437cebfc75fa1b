import type { Database } from '#server/foundation/database/open.ts'

/** The id of nobody. */
const FORGOTTEN = 0

/**
 * Queries about all conversations of a person, deleted and withdrawn ones included, for exporting and erasing them.
 * Queries and nothing else.
 */
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

    /** Forgets who hid conversations. `hidden_by` does not become null: somebody hid them. */
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
