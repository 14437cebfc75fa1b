import { json, table } from './definition.ts'
import type { StoredLimit } from './plans.ts'

export const keyTables = {
  // Keys by which other tools ask as their owner. A revoked one stays for a while: it is not said to be unknown.
  user_keys: table({
    columns: {
      id: { kind: 'id' },
      user_id: { kind: 'int', references: 'users.id', onDelete: 'cascade' },
      name: { kind: 'text' },
      secret_hash: { kind: 'text' },
      ending: { kind: 'text' }, // the last characters of the secret
      limits: json<StoredLimit[]>(),
      models: json<string[]>({ nullable: true }), // null = all that the owner may ask
      may_borrow: { kind: 'bool' },
      quiet_only: { kind: 'bool' },
      keeps_conversations: { kind: 'bool' },
      create_time: { kind: 'ms' },
      expire_time: { kind: 'ms', nullable: true },
      revoke_time: { kind: 'ms', nullable: true },
      last_used_time: { kind: 'ms', nullable: true },
      last_tool: { kind: 'text', nullable: true },
    },
    unique: [['secret_hash']],
    indexes: [['user_id']],
  }),
}
