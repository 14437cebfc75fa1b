import { type Engine, tableDefinition, type Table } from '../schema/definition.ts'
import { type Migration, bool, int, json, ms, nullable, ofConversation, ownUser, text } from './migration.ts'

const TABLES: Record<string, Table> = {
  users: {
    columns: {
      id: { kind: 'id' },
      username: text,
      nickname: text,
      email: text,
      password_hash: text,
      is_active: { kind: 'bool', default: true },
      is_superuser: { kind: 'bool', default: false },
      is_verified: { kind: 'bool', default: false },
      avatar: nullable.text,
      remark: nullable.text,
      create_time: ms,
      last_active_time: nullable.ms,
    },
    unique: [['username']],
  },
  user_source_settings: {
    columns: {
      user_id: ownUser,
      source: text,
      allow_to_use: bool,
      valid_until: nullable.ms,
      max_conv_count: int,
      total_ask_count: int,
      rate_limits: json,
      daily_available_time_slots: json,
      available_models: json,
      disable_uploading: bool,
      use_team: { kind: 'bool', default: false },
      allow_custom_openai_api: { kind: 'bool', default: false },
      custom_openai_api_url: nullable.text,
      custom_openai_api_key: nullable.text,
    },
    primaryKey: ['user_id', 'source'],
  },
  user_credits: { columns: { user_id: ownUser, credits: { kind: 'real' } }, primaryKey: ['user_id'] },
  user_model_ask_counts: {
    columns: { user_id: ownUser, source: text, model: text, ask_count: int },
    primaryKey: ['user_id', 'source', 'model'],
  },
  user_preferences: { columns: { user_id: ownUser, preferences: json, update_time: ms }, primaryKey: ['user_id'] },
  sessions: {
    columns: {
      token_hash: text,
      user_id: ownUser,
      create_time: ms,
      last_seen_time: ms,
      expire_time: ms,
      user_agent: nullable.text,
      address: nullable.text,
    },
    primaryKey: ['token_hash'],
    indexes: [['user_id']],
  },
  sign_in_attempts: {
    columns: { id: { kind: 'id' }, attempt_key: text, attempt_time: ms },
    indexes: [['attempt_key', 'attempt_time']],
  },
  conversations: {
    columns: {
      id: { kind: 'id' },
      conversation_id: text,
      source: text,
      source_id: nullable.text,
      title: nullable.text,
      user_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'set null' },
      is_valid: { kind: 'bool', default: true },
      current_model: nullable.text,
      current_node: nullable.text,
      create_time: ms,
      update_time: nullable.ms,
      conversation_metadata: nullable.json,
    },
    unique: [['conversation_id']],
    indexes: [['user_id', 'is_valid', 'update_time']],
  },
  messages: {
    columns: {
      conversation_id: ofConversation,
      message_id: text,
      position: int,
      parent: nullable.text,
      role: text,
      author_name: nullable.text,
      model: nullable.text,
      content: nullable.json,
      message_metadata: nullable.json,
      create_time: ms,
      withdraw_time: nullable.ms,
    },
    primaryKey: ['conversation_id', 'message_id'],
    indexes: [['conversation_id', 'position']],
  },
  searched_messages: {
    columns: { id: { kind: 'id' }, conversation_id: ofConversation, message_id: text },
    unique: [['conversation_id', 'message_id']],
  },
  asks: {
    columns: {
      ask_id: text,
      user_id: int,
      source: text,
      model: text,
      conversation_id: text,
      question_id: text,
      reply_id: text,
      ask_state: text,
      outcome: nullable.text,
      failure_key: nullable.text,
      lane: text,
      round: { kind: 'int', default: 0 },
      ticket: int,
      holder: nullable.text,
      lease_until: nullable.ms,
      stop_requested: { kind: 'bool', default: false },
      reserved: json,
      create_time: ms,
      start_time: nullable.ms,
      first_token_time: nullable.ms,
      end_time: nullable.ms,
      failure_values: nullable.json,
    },
    primaryKey: ['ask_id'],
    indexes: [
      { name: 'living', columns: ['lane', 'ask_state', 'round', 'user_id'], where: 'end_time is null' },
      { name: 'living_of_user', columns: ['user_id', 'create_time'], where: 'end_time is null' },
      {
        name: 'counted',
        columns: ['user_id', 'create_time', 'source'],
        where: 'end_time is null or first_token_time is not null',
      },
      { name: 'answered', columns: ['source', 'model', 'end_time'], where: 'first_token_time is not null' },
      ['conversation_id', 'create_time'],
    ],
  },
  ask_chunks: {
    columns: { ask_id: text, chunk_number: int, chunk_text: text },
    primaryKey: ['ask_id', 'chunk_number'],
    appended: true,
  },
  lanes: { columns: { lane: text, next_ticket: int }, primaryKey: ['lane'] },
  ask_ledger: {
    columns: {
      id: { kind: 'id' },
      user_id: int,
      ask_id: nullable.text,
      source: text,
      model: nullable.text,
      change: int,
      of_total: { kind: 'bool', default: false },
      of_model: { kind: 'bool', default: false },
      reason: text,
      create_time: ms,
    },
    indexes: [
      { name: 'of_user', columns: ['user_id', 'source'], where: 'of_total or of_model' },
      { name: 'of_ask', columns: ['ask_id'], where: 'of_total or of_model' },
    ],
  },
  ask_logs: {
    columns: {
      id: { kind: 'id' },
      log_time: ms,
      source: text,
      model: text,
      user_id: nullable.int,
      conversation_id: nullable.text,
      queueing_time: { kind: 'real' },
      ask_time: { kind: 'real' },
    },
    indexes: [['log_time']],
  },
  uploaded_files: {
    columns: {
      file_id: text,
      uploader_id: ownUser,
      original_filename: text,
      size: int,
      content_type: text,
      width: nullable.int,
      height: nullable.int,
      upload_time: ms,
      storage_path: nullable.text,
      web_file_id: nullable.text,
      use_case: nullable.text,
      upload_url: nullable.text,
      download_url: nullable.text,
    },
    primaryKey: ['file_id'],
    unique: [['web_file_id']],
    indexes: [['uploader_id']],
  },
  stored_settings: {
    columns: { setting_path: text, setting_value: json, update_time: ms, updated_by: nullable.int },
    primaryKey: ['setting_path'],
  },
  stored_credentials: {
    columns: { credential_name: text, sealed_value: text, origin: nullable.text, update_time: ms },
    primaryKey: ['credential_name'],
  },
  listed_models: { columns: { address_digest: text, models: json, read_time: ms }, primaryKey: ['address_digest'] },
  search_rebuild: { columns: { next_id: int } },
}

/** The words of the searched messages, kept as each database searches best. They go when their message goes. */
const SEARCH: Record<Engine, readonly string[]> = {
  sqlite: [
    // A message has a term or has it not: where it stands is not kept.
    `create virtual table message_terms using fts5 (
       terms, content = '', contentless_delete = 1, detail = none, prefix = '3', tokenize = "ascii tokenchars '.~'")`,
    // What chooses and orders hits, apart from the long ids: a search reads a row for each message that matches.
    `create table message_ranks (
       id integer primary key, conversation integer not null, term_count integer not null, create_time integer not null) strict`,
    `create trigger searched_messages_terms_forgotten after delete on searched_messages
       begin delete from message_terms where rowid = old.id; delete from message_ranks where id = old.id; end`,
  ],
  postgresql: [
    'alter table searched_messages add column terms tsvector, add column term_count bigint, add column create_time bigint',
    'create index searched_messages_terms on searched_messages using gin (terms)',
  ],
}

/** A new database begins with the schema of version 0.4.9, which upgrades databases of before. */
export const base: Migration = {
  version: 8,
  name: '008-base',
  statements: engine => [
    ...Object.entries(TABLES).flatMap(([name, table]) => tableDefinition(engine, name, table)),
    ...SEARCH[engine],
  ],
}
