import { tableDefinition } from '../schema/definition.ts'
import { int, json, type Migration, ms, nullable, ownUser, text } from './migration.ts'

/** As they were made then. */
const keys = {
  columns: { key_id: int, public_key: text, private_key: text, create_time: ms },
  primaryKey: ['key_id'],
}

const subscriptions = {
  columns: {
    id: { kind: 'id' },
    user_id: ownUser,
    session: { ...text, references: 'sessions.token_hash', onDelete: 'cascade', onUpdate: 'cascade' },
    endpoint: text,
    p256dh: text,
    auth: text,
    create_time: ms,
  },
  unique: [['endpoint']],
  indexes: [['user_id'], ['session']],
} as const

const notices = {
  columns: {
    id: { kind: 'id' },
    user_id: ownUser,
    kind: text,
    due_time: ms,
    create_time: ms,
    details: json,
    subscription_ids: nullable.json,
    attempts: { ...int, default: 0 },
    lease_until: nullable.ms,
  },
  indexes: [['due_time'], ['user_id']],
} as const

/** Notices that browsers show when the page is closed. */
export const pushNotices: Migration = {
  version: 55,
  name: '055-push-notices',
  statements: engine => [
    ...tableDefinition(engine, 'push_keys', keys),
    ...tableDefinition(engine, 'push_subscriptions', subscriptions),
    ...tableDefinition(engine, 'push_notices', notices),
  ],
}
