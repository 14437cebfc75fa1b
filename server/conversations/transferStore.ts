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
