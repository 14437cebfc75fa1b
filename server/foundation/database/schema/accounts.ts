import { json, table } from './definition.ts'

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
      hold_time: { kind: 'ms', nullable: true }, // since when nothing of the person may be removed
      hold_reason: { kind: 'text', nullable: true },
      signed_out_time: { kind: 'ms', nullable: true }, // when all sessions were ended
    },
    unique: [['username']],
  }),

  // What a person may ask of a source: values of their own. Null is inherited from the default plan.
  user_source_settings: table({
    columns: {
      user_id: ownUser,
      source: { kind: 'text' },
      begin_time: { kind: 'ms', default: 0 }, // an inherited validity counts from then
      allow_to_use: { kind: 'bool', nullable: true },
      has_own_validity: { kind: 'bool', default: false },
      valid_until: { kind: 'ms', nullable: true }, // of an own validity: null is for ever
      max_conv_count: { kind: 'int', nullable: true },
      total_ask_allowed: { kind: 'int', nullable: true },
      rate_limits: json<{ window_seconds: number; max_requests: number }[]>({ nullable: true }),
      daily_available_time_slots: json<{ start_time: string; end_time: string }[]>({ nullable: true }),
      available_models: json<string[]>({ nullable: true }),
      disable_uploading: { kind: 'bool', nullable: true },
      use_team: { kind: 'bool', nullable: true },
      allow_custom_openai_api: { kind: 'bool', nullable: true },
      custom_openai_api_url: { kind: 'text', nullable: true },
      custom_openai_api_key: { kind: 'text', nullable: true }, // encrypted
    },
    primaryKey: ['user_id', 'source'],
  }),

  // How many asks of a model a person may ask, where it is their own value.
  user_model_allowances: table({
    columns: { user_id: ownUser, source: { kind: 'text' }, model: { kind: 'text' }, ask_allowed: { kind: 'int' } },
    primaryKey: ['user_id', 'source', 'model'],
  }),

  // What was used since it was allowed, of a model or ('') in all: whole asks, and halves besides.
  ask_counts: table({
    columns: {
      user_id: ownUser,
      source: { kind: 'text' },
      model: { kind: 'text' },
      used: { kind: 'int' },
      used_halves: { kind: 'int', default: 0 },
    },
    primaryKey: ['user_id', 'source', 'model'],
  }),

  user_credits: table({
    columns: { user_id: ownUser, credits: { kind: 'real' } },
    primaryKey: ['user_id'],
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
      proof: { kind: 'text', default: 'password' }, // by what it began
      provider_id: { kind: 'int', nullable: true }, // by which identity provider, and what that calls it
      provider_session: { kind: 'text', nullable: true },
    },
    primaryKey: ['token_hash'],
    indexes: [['user_id']],
  }),

  // Links by which people make an account of their own. Revoked ones stay, so that the list says what became of them.
  invitations: table({
    columns: {
      id: { kind: 'id' },
      token_hash: { kind: 'text' },
      plan_id: { kind: 'int', nullable: true }, // null = the default plan
      uses: { kind: 'int' },
      used: { kind: 'int', default: 0 },
      end_time: { kind: 'ms', nullable: true },
      create_time: { kind: 'ms' },
      created_by: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'set null' },
      revoke_time: { kind: 'ms', nullable: true },
    },
    unique: [['token_hash']],
  }),

  sign_in_attempts: table({
    columns: { id: { kind: 'id' }, attempt_key: { kind: 'text' }, attempt_time: { kind: 'ms' } },
    indexes: [['attempt_key', 'attempt_time']],
  }),
}
