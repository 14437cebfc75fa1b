import type { Insertable } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { type ConversationRow, type SHOWN, withFoldedTitle } from './store.ts'

/** Rows of one statement, well below the bound of parameters of either database. */
const BATCH = 500

type NewConversation = Insertable<Tables['conversations']>
type NewMessage = Omit<Insertable<Tables['messages']>, 'conversation_id' | 'position'>

/** Queries of exports and imports alone. */
export function transferStore(database: Database) {
  return {
    /**
     * In the order in which they were made, so that a conversation that is used during the export is neither missed nor
     * exported twice.
     */
    validAfter: (user_id: number, id: number, limit: number) =>
      database
        .selectFrom('conversations')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('is_valid', '=', true)
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .execute(),

    countValid: (user_id: number) =>
      database
        .selectFrom('conversations')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', user_id)
        .where('is_valid', '=', true)
        .executeTakeFirstOrThrow()
        .then(({ count }) => Number(count)),

    ownAmong: (user_id: number, conversation_ids: readonly string[]) =>
      database
        .selectFrom('conversations')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('conversation_id', 'in', conversation_ids)
        .execute(),

    insert: (row: NewConversation) => database.insertInto('conversations').values(withFoldedTitle(row)).execute(),

    change: (
      conversation_id: string,
      change: Partial<Pick<ConversationRow, 'title' | 'update_time' | 'current_node'> & typeof SHOWN>,
    ) =>
      database
        .updateTable('conversations')
        .set(withFoldedTitle(change))
        .where('conversation_id', '=', conversation_id)
        .execute(),

    /** Withdrawn messages too, so that an import does not bring them back. */
    positionsOfMessages: (conversation_id: string) =>
      database
        .selectFrom('messages')
        .select(['message_id', 'position', 'withdraw_time'])
        .where('conversation_id', '=', conversation_id)
        .execute(),

    addMessages: async (conversation_id: string, first: number, messages: readonly NewMessage[]) => {
      for (let start = 0; start < messages.length; start += BATCH) {
        await database
          .insertInto('messages')
          .values(
            messages
              .slice(start, start + BATCH)
              .map((message, at) => ({ ...message, conversation_id, position: first + start + at })),
          )
          .execute()
      }
    },
  }
}

/** The id of nobody. */
const FORGOTTEN = 0

/**
 * Queries about all conversations of a person, deleted and withdrawn ones included, for exporting and erasing them.
 * Queries and nothing else.
 */
export function userConversationStore(database: Database) {
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
