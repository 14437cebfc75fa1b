import { sql } from 'kysely'
import { askedIn } from '#server/asks/store.ts'
import type { Database } from '#server/foundation/database/open.ts'

/** All messages of a conversation, or some of them. */
type NamingMessages = { conversation_id: string; message_ids: readonly string[] | null }

/** Which messages name files. Queries and nothing else. */
export function namingStore(database: Database) {
  return {
    /** Some of them that may name a file, in the order of their ids, withdrawn ones too. */
    someWithFiles: (conversation_id: string, { after, limit }: { after: string; limit: number }) =>
      database
        .selectFrom('messages')
        .select(['message_id', 'content', 'message_metadata'])
        .where('conversation_id', '=', conversation_id)
        .where('message_id', '>', after)
        .where(({ or }) =>
          or([
            sql<boolean>`messages.content like '%asset_pointer%'`,
            sql<boolean>`messages.message_metadata like '%"attachments"%'`,
            sql<boolean>`messages.message_metadata like '%file%'`,
          ]),
        )
        .orderBy('message_id')
        .limit(limit)
        .execute(),

    /**
     * Whether another message has the text in its content or metadata, of the conversations of these people and of
     * those that they have asked in.
     */
    isNamedBeside: async (
      text: string,
      { conversation_id, message_ids }: NamingMessages,
      user_ids: readonly number[],
    ) =>
      (await database
        .selectFrom('messages')
        .innerJoin('conversations', 'conversations.conversation_id', 'messages.conversation_id')
        .select('messages.message_id')
        .where(({ eb, or }) =>
          or([
            eb('conversations.user_id', 'in', user_ids),
            eb('conversations.conversation_id', 'in', askedIn(database, user_ids)),
          ]),
        )
        .where(({ eb, or }) =>
          or([
            eb('messages.conversation_id', '!=', conversation_id),
            ...(message_ids === null ? [] : [eb('messages.message_id', 'not in', message_ids)]),
          ]),
        )
        .where(({ or }) =>
          or([
            sql<boolean>`messages.content like ${`%${text}%`}`,
            sql<boolean>`messages.message_metadata like ${`%${text}%`}`,
          ]),
        )
        .limit(1)
        .executeTakeFirst()) !== undefined,
  }
}
