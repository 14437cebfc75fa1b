import { sql } from 'kysely'
import { earlierIndex } from './earlierSearch.ts'
import type { OpenDatabase } from './open.ts'
import type { SearchedMessage } from './searchQuestion.ts'

/** Has the search know a message as it did up to schema 7. */
export function searchedBefore(open: OpenDatabase, message: SearchedMessage): Promise<void> {
  const { conversation_id, message_id } = message
  return open.transaction(async trx => {
    await (
      open.engine === 'sqlite'
        ? sql`insert into searched_messages (conversation_id, message_id) values (${conversation_id}, ${message_id})`
        : sql`insert into searched_messages (conversation_id, message_id, grams) values (${conversation_id}, ${message_id}, '')`
    ).execute(trx)
    await earlierIndex(open.engine).store(trx, [message])
  })
}
