import { type Engine, tableDefinition } from '../schema/definition.ts'
import { table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

/** As it was made then: what the table becomes later is another migration's. */
const changes = table({
  columns: {
    conversation_id: { kind: 'text', references: 'conversations.conversation_id', onDelete: 'cascade' },
    what: { kind: 'text' },
    turn: { kind: 'int', default: 0 },
    failures: { kind: 'int', default: 0 },
    next_try: { kind: 'ms' },
  },
  primaryKey: ['conversation_id', 'what'],
  indexes: [['next_try']],
})

/** Titles that people gave are kept, and what is changed here is sent to the upstream that keeps the conversation. */
export const conversationsAtUpstreams: Migration = {
  version: 16,
  name: '016-conversations-at-upstreams',
  statements: engine => [
    `alter table conversations add column has_own_title ${no[engine]}`,
    ...tableDefinition(engine, 'upstream_changes', changes),
  ],
}

const no: Record<Engine, string> = {
  sqlite: 'integer not null default 0',
  postgresql: 'boolean not null default false',
}
