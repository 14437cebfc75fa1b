import type { Migration } from './migration.ts'

/** The search knows no notes of the system, which no thread shows; imports had made them known to it. */
export const hiddenNotesNotSearched: Migration = {
  version: 3,
  name: '003-hidden-notes-not-searched',
  statements: engine => [
    engine === 'sqlite'
      ? `delete from searched_messages where (conversation_id, message_id) in
         (select conversation_id, message_id from messages where role = 'system')`
      : `delete from searched_messages using messages where messages.conversation_id = searched_messages.conversation_id
         and messages.message_id = searched_messages.message_id and messages.role = 'system'`,
  ],
}
