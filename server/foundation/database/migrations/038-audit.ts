import { type Table, tableDefinition } from '../schema/definition.ts'
import { bool, type Migration, ms, nullable, text } from './migration.ts'

const person = { ...nullable.int, references: 'users.id', onDelete: 'set null' } as const

const made: Record<string, Table> = {
  audit: {
    columns: {
      id: { kind: 'id' },
      time: ms,
      actor_kind: text,
      actor_id: nullable.int,
      actor_name: nullable.text,
      address: nullable.text,
      user_agent: nullable.text,
      request_id: nullable.text,
      action: text,
      subject_kind: text,
      subject_id: nullable.text,
      subject_name: nullable.text,
      before: nullable.json,
      after: nullable.json,
      undone_by: nullable.int,
      undoes: nullable.int,
    },
    indexes: [['time'], ['actor_id', 'id'], ['action', 'id'], ['subject_kind', 'subject_id', 'id']],
  },
  oversight: {
    columns: {
      id: { kind: 'id' },
      conversation_id: text,
      owner_id: person,
      viewer_id: person,
      viewer_name: text,
      oversight_reason: text,
      sentence: text,
      open_time: ms,
      until_time: ms,
      latest_read_time: nullable.ms,
      is_noticed: { ...bool, default: false },
    },
    indexes: [['conversation_id', 'viewer_id'], ['owner_id', 'open_time'], ['open_time']],
  },
}

/** What was changed, by whom and from where, and who opened whose conversation. */
export const auditMigration: Migration = {
  version: 38,
  name: '038-audit',
  statements: engine => Object.entries(made).flatMap(([name, definition]) => tableDefinition(engine, name, definition)),
}
