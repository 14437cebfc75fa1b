import type { Database } from '#server/foundation/database/open.ts'

/** The messages of a conversation as a tree. Queries and nothing else. Takes a transaction as well as the database. */
export function messageTreeStore(database: Database) {
  return {
    /** Whether there is anything in it. */
    isBegun: async (conversation_id: string) =>
      (await database
        .selectFrom('messages')
        .select('message_id')
        .where('conversation_id', '=', conversation_id)
        .limit(1)
        .executeTakeFirst()) !== undefined,

    /** Withdrawn ones too. */
    everyOf: (conversation_id: string) =>
      database
        .selectFrom('messages')
        .selectAll()
        .where('conversation_id', '=', conversation_id)
        .orderBy('position')
        .execute(),

    setParents: async (conversation_id: string, parents: ReadonlyMap<string, string>) => {
      for (const [message_id, parent] of parents)
        await database
          .updateTable('messages')
          .set({ parent })
          .where('conversation_id', '=', conversation_id)
          .where('message_id', '=', message_id)
          .execute()
    },

    /** Whether anything follows a message. */
    isFollowed: async (conversation_id: string, message_id: string) =>
      (await database
        .selectFrom('messages')
        .select('message_id')
        .where('conversation_id', '=', conversation_id)
        .where('parent', '=', message_id)
        .where('withdraw_time', 'is', null)
        .limit(1)
        .executeTakeFirst()) !== undefined,
  }
}
export type MessageTreeStore = ReturnType<typeof messageTreeStore>
