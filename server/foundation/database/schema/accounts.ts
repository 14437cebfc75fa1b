import { json, table } from '../tables.ts'

const ownUser = { kind: 'int', references: 'users.id', onDelete: 'cascade' } as const

export const accountTables = {
  users: table({
    columns: {
      id: { kind: 'id' },
      username: { kind: 'text' },
      nickname: { kind: 'text' },
      email: { kind: 'text' },
      password_hash: { kind: 'text' },
      is_active: { kind: 'bool', default: true },
      is_superuser: { kind: 'bool', default: false },
      is_verified: { kind: 'bool', default: false },
      avatar: { kind: 'text', nullable: true },
      remark: { kind: 'text', nullable: true },
      create_time: { kind: 'ms' },
      last_active_time: { kind: 'ms', nullable: true },
      search_text: { kind: 'text', default: '' }, // nickname, user name, e-mail and remark, folded (userStore)
      erase_time: { kind: 'ms', nullable: true }, // since when everything of the person is being erased
    },
    unique: [['username']],
  }),

  user_source_settings: table({
    columns: {
      user_id: ownUser,
      source: { kind: 'text' },
      allow_to_use: { kind: 'bool' },
      valid_until: { kind: 'ms', nullable: true },
      max_conv_count: { kind: 'int' },
      total_ask_count: { kind: 'int' },
      rate_limits: json<{ window_seconds: number; max_requests: number }[]>(),
      daily_available_time_slots: json<{ start_time: string; end_time: string }[]>(),
      available_models: json<string[]>(),
      disable_uploading: { kind: 'bool' },
      use_team: { kind: 'bool', default: false },
      allow_custom_openai_api: { kind: 'bool', default: false },
      custom_openai_api_url: { kind: 'text', nullable: true },
      custom_openai_api_key: { kind: 'text', nullable: true }, // encrypted
      // Of it remains total_ask_count; the rest has been used since it was set. Never less than what remains; -1 together.
      total_ask_allowed: { kind: 'int', default: -1 },
    },
    primaryKey: ['user_id', 'source'],
  }),

  user_credits: table({
    columns: { user_id: ownUser, credits: { kind: 'real' } },
    primaryKey: ['user_id'],
  }),

  user_model_ask_counts: table({
    columns: {
      user_id: ownUser,
      source: { kind: 'text' },
      model: { kind: 'text' },
      ask_count: { kind: 'int' }, // what remains
      ask_allowed: { kind: 'int', default: -1 }, // as total_ask_allowed
    },
    primaryKey: ['user_id', 'source', 'model'],
  }),

  user_preferences: table({
    columns: { user_id: ownUser, preferences: json<Record<string, unknown>>(), update_time: { kind: 'ms' } },
    primaryKey: ['user_id'],
  }),

  sessions: table({
    columns: {
      token_hash: { kind: 'text' },
      user_id: ownUser,
      create_time: { kind: 'ms' },
      last_seen_time: { kind: 'ms' },
      expire_time: { kind: 'ms' },
      user_agent: { kind: 'text', nullable: true },
      address: { kind: 'text', nullable: true },
    },
    primaryKey: ['token_hash'],
    indexes: [['user_id']],
  }),

  sign_in_attempts: table({
    columns: { id: { kind: 'id' }, attempt_key: { kind: 'text' }, attempt_time: { kind: 'ms' } },
    indexes: [['attempt_key', 'attempt_time']],
  }),
}
