import { type Engine, tableDefinition } from '../schema/definition.ts'
import { json, table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

const ownUser = { kind: 'int', references: 'users.id', onDelete: 'cascade' } as const

/** As they were made then: what the tables become later is another migration's. */
const settings = table({
  columns: {
    user_id: ownUser,
    source: { kind: 'text' },
    begin_time: { kind: 'ms', default: 0 },
    allow_to_use: { kind: 'bool', nullable: true },
    has_own_validity: { kind: 'bool', default: false },
    valid_until: { kind: 'ms', nullable: true },
    max_conv_count: { kind: 'int', nullable: true },
    total_ask_allowed: { kind: 'int', nullable: true },
    rate_limits: json<unknown>({ nullable: true }),
    daily_available_time_slots: json<unknown>({ nullable: true }),
    available_models: json<unknown>({ nullable: true }),
    disable_uploading: { kind: 'bool', nullable: true },
    use_team: { kind: 'bool', nullable: true },
    allow_custom_openai_api: { kind: 'bool', nullable: true },
    custom_openai_api_url: { kind: 'text', nullable: true },
    custom_openai_api_key: { kind: 'text', nullable: true },
  },
  primaryKey: ['user_id', 'source'],
})

const allowances = table({
  columns: { user_id: ownUser, source: { kind: 'text' }, model: { kind: 'text' }, ask_allowed: { kind: 'int' } },
  primaryKey: ['user_id', 'source', 'model'],
})

const counts = table({
  columns: { user_id: ownUser, source: { kind: 'text' }, model: { kind: 'text' }, used: { kind: 'int' } },
  primaryKey: ['user_id', 'source', 'model'],
})

const KEPT = `user_id, source, allow_to_use, valid_until, max_conv_count, total_ask_allowed, rate_limits, daily_available_time_slots,
  available_models, disable_uploading, use_team, allow_custom_openai_api, custom_openai_api_url, custom_openai_api_key`

/**
 * What people may and what they have used are told apart. Everybody who is there keeps what they have as values of their own, and what they
 * have used of it; whoever comes later inherits the default plan.
 */
export const mayAndUsed: Migration = {
  version: 26,
  name: '026-may-and-used',
  statements: engine => [
    ...tableDefinition(engine, 'ask_counts', counts),
    `insert into ask_counts (user_id, source, model, used) select user_id, source, '', total_ask_allowed - total_ask_count
      from user_source_settings where total_ask_allowed > total_ask_count and total_ask_count >= 0`,
    `insert into ask_counts (user_id, source, model, used) select user_id, source, model, ask_allowed - ask_count
      from user_model_ask_counts where ask_allowed > ask_count and ask_count >= 0`,
    ...tableDefinition(engine, 'user_model_allowances', allowances),
    `insert into user_model_allowances (user_id, source, model, ask_allowed)
      select user_id, source, model, ask_allowed from user_model_ask_counts`,
    'drop table user_model_ask_counts',
    'alter table user_source_settings rename to former_source_settings',
    // Its name is the one that the key of the new table gets.
    ...(engine === 'postgresql' ? ['alter index user_source_settings_pkey rename to former_source_settings_pkey'] : []),
    ...tableDefinition(engine, 'user_source_settings', settings),
    `insert into user_source_settings (${KEPT}, begin_time, has_own_validity)
      select ${KEPT}, coalesce((select create_time from users where users.id = user_id), 0), ${yes[engine]} from former_source_settings`,
    'drop table former_source_settings',
  ],
}

const yes: Record<Engine, string> = { sqlite: '1', postgresql: 'true' }
