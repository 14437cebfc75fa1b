import { tableDefinition } from '../schema/definition.ts'
import { table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

/** As it was made then: what the table becomes later is another migration's. */
const search_queue = table({
  columns: {
    id: { kind: 'id' },
    conversation_id: { kind: 'text', references: 'conversations.conversation_id', onDelete: 'cascade' },
    message_id: { kind: 'text' },
  },
  indexes: [['conversation_id']],
})

/** Answers are indexed behind the transaction that stores them. */
export const searchQueue: Migration = {
  version: 11,
  name: '011-search-queue',
  statements: engine => tableDefinition(engine, 'search_queue', search_queue),
}
