import { tableDefinition, TYPES } from '../schema/definition.ts'
import { bool, json, type Migration, ms, nullable, ownUser, text } from './migration.ts'

/** As it was made then. */
const userKeys = {
  columns: {
    id: { kind: 'id' },
    user_id: ownUser,
    name: text,
    secret_hash: text,
    ending: text,
    limits: json,
    models: nullable.json,
    may_borrow: bool,
    quiet_only: bool,
    keeps_conversations: bool,
    create_time: ms,
    expire_time: nullable.ms,
    revoke_time: nullable.ms,
    last_used_time: nullable.ms,
    last_tool: nullable.text,
  },
  unique: [['secret_hash']],
  indexes: [['user_id']],
} as const

/** Personal keys for other tools, and by which key and which tool was asked. */
export const keysMigration: Migration = {
  version: 56,
  name: '056-keys',
  statements: engine => {
    const { int, text: words } = TYPES[engine]
    return [
      ...tableDefinition(engine, 'user_keys', userKeys),
      ...['asks', 'ask_logs', 'usage_ledger'].flatMap(table => [
        `alter table "${table}" add column "key_id" ${int}`,
        `alter table "${table}" add column "tool" ${words}`,
      ]),
      'create index "usage_ledger_of_key" on "usage_ledger" ("key_id", "asked_time") where key_id is not null',
    ]
  },
}
