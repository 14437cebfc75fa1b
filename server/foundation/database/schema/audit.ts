import { json, table } from './definition.ts'
import type { Json } from './portal.ts'

/** The named fields of a change; never a secret, a question or an answer. */
export type AuditValues = { readonly [field: string]: Json }

export const auditTables = {
  /** No row references a person or a conversation: it outlives them. */
  audit: table({
    columns: {
      id: { kind: 'id' },
      time: { kind: 'ms' },
      actor_kind: { kind: 'text' },
      actor_id: { kind: 'int', nullable: true },
      actor_name: { kind: 'text', nullable: true },
      address: { kind: 'text', nullable: true },
      user_agent: { kind: 'text', nullable: true },
      request_id: { kind: 'text', nullable: true },
      action: { kind: 'text' },
      subject_kind: { kind: 'text' },
      subject_id: { kind: 'text', nullable: true },
      subject_name: { kind: 'text', nullable: true }, // never of a conversation: its title goes with it
      before: json<AuditValues>({ nullable: true }),
      after: json<AuditValues>({ nullable: true }),
      undone_by: { kind: 'int', nullable: true }, // the row of the change that undid this one
      undoes: { kind: 'int', nullable: true },
    },
    indexes: [['time'], ['actor_id', 'id'], ['action', 'id'], ['subject_kind', 'subject_id', 'id']],
  }),

  /** For how long an administrator had somebody's conversation open, and why. */
  oversight: table({
    columns: {
      id: { kind: 'id' },
      conversation_id: { kind: 'text' },
      owner_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'set null' },
      viewer_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'set null' },
      viewer_name: { kind: 'text' },
      oversight_reason: { kind: 'text' },
      sentence: { kind: 'text' },
      open_time: { kind: 'ms' },
      until_time: { kind: 'ms' },
      latest_read_time: { kind: 'ms', nullable: true },
      is_noticed: { kind: 'bool', default: false }, // by the owner
    },
    indexes: [['conversation_id', 'viewer_id'], ['owner_id', 'open_time'], ['open_time']],
  }),
}
