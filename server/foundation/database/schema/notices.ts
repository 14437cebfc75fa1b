import { json, table } from './definition.ts'

const ownUser = { kind: 'int', references: 'users.id', onDelete: 'cascade' } as const

export const noticeTables = {
  /** The key pair by which push services know this portal (VAPID). One row. */
  push_keys: table({
    columns: {
      key_id: { kind: 'int' }, // 1
      public_key: { kind: 'text' },
      private_key: { kind: 'text' }, // encrypted
      create_time: { kind: 'ms' },
    },
    primaryKey: ['key_id'],
  }),

  /** Browsers that are told. One ends with the session that added it, whatever ends that. */
  push_subscriptions: table({
    columns: {
      id: { kind: 'id' },
      user_id: ownUser,
      session: { kind: 'text', references: 'sessions.token_hash', onDelete: 'cascade', onUpdate: 'cascade' },
      endpoint: { kind: 'text' },
      p256dh: { kind: 'text' },
      auth: { kind: 'text' },
      create_time: { kind: 'ms' },
    },
    unique: [['endpoint']],
    indexes: [['user_id'], ['session']],
  }),

  /** What is to be sent; it is removed when it was. */
  push_notices: table({
    columns: {
      id: { kind: 'id' },
      user_id: ownUser,
      kind: { kind: 'text' }, // answer, turn, window
      due_time: { kind: 'ms' },
      create_time: { kind: 'ms' },
      details: json<NoticeDetails>(),
      subscription_ids: json<number[]>({ nullable: true }), // those that are left to be told; null: all
      attempts: { kind: 'int', default: 0 },
      lease_until: { kind: 'ms', nullable: true }, // until when the process that sends it has it
    },
    indexes: [['due_time'], ['user_id']],
  }),
}

/** Of a window: the model; of an ask: its conversation. */
export type NoticeDetails =
  | { source: string; model: string; label: string }
  | { conversation_id: string; seconds: number | null; has_failed: boolean }
