import { tableDefinition, type Engine } from '../definition.ts'
import { tables } from '../schema.ts'
import { json, table, type Table } from '../tables.ts'
import type { Migration } from './migration.ts'

/**
 * Makes the tables as they are described. When the description of a released table changes, its old description moves in
 * here, before the migration that changes it.
 */
const described = (): Record<string, Table> => {
  const later: Record<string, Record<string, Table>> = changedLater()
  return Object.fromEntries(
    Object.entries(tables)
      .filter(([name]) => !MADE_LATER.has(name))
      .flatMap(([name, table]) => Object.entries(later[name] ?? { [name]: table })),
  )
}

/** Tables that a later migration makes. */
const MADE_LATER: ReadonlySet<string> = new Set([
  'user_credits', // in its order among those of the first schema
  'user_model_allowances',
  'ask_counts',
  'search_rebuild',
  'search_refold',
  'search_queue',
  'deletions',
  'upstream_changes',
  'jobs',
  'upstreams',
  'upstream_models',
  'cooling_models',
  'disabled_plugins',
  'learned_contexts',
  'ask_sums',
  'request_sums',
  'request_people',
])

/** What stood in the place of a table that a later migration changes. */
const changedLater = () => ({
  users: { users: without(tables.users, 'search_text', 'erase_time') },
  user_source_settings: {
    user_source_settings: settingsOfTheFirstSchema,
    user_credits: tables.user_credits,
    user_model_ask_counts: countsOfTheFirstSchema,
  },
  asks: { asks: asksOfTheFirstSchema },
  ask_chunks: { ask_chunks: chunksOfTheFirstSchema },
  ask_ledger: { ask_ledger: ledgerOfTheFirstSchema },
  queues: { lanes: queuesOfTheFirstSchema },
  ask_logs: { ask_logs: logOfTheFirstSchema },
  conversations: {
    conversations: {
      ...without(
        tables.conversations,
        'upstream_id',
        'upstream_conversation_id',
        'folded_title',
        'has_own_title',
        'hide_time',
        'hidden_by',
        'deletion_id',
        'gone_upstream_time',
        'gizmo_refused_time',
        'vanish_time',
      ),
      indexes: [['user_id', 'is_valid', 'update_time']],
    },
  },
  uploaded_files: {
    uploaded_files: without(tables.uploaded_files, 'upstream_id', 'source_id', 'used_time', 'conversation_id'),
  },
  stored_settings: { stored_settings: tables.stored_settings, stored_credentials: credentialsOfTheFirstSchema },
})

/** Columns that were added, with the indexes that have them, and nothing else. */
function without(table: Table, ...added: string[]): Table {
  return {
    ...table,
    columns: Object.fromEntries(Object.entries(table.columns).filter(([name]) => !added.includes(name))),
    indexes: table.indexes?.filter(
      index => !('columns' in index ? index.columns : index).some(name => added.includes(name)),
    ),
  }
}

/** The words of the searched messages, kept as each database searches best. They go when their message goes. */
const searchDefinition: Record<Engine, string[]> = {
  sqlite: [
    `create virtual table message_grams using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii')`,
    `create trigger searched_messages_forgotten after delete on searched_messages
       begin delete from message_grams where rowid = old.id; end`,
  ],
  postgresql: [
    'alter table searched_messages add column grams tsvector not null',
    'create index searched_messages_grams on searched_messages using gin (grams)',
  ],
}

export const initial: Migration = {
  version: 1,
  name: '001-initial',
  statements: engine => [
    ...Object.entries(described()).flatMap(([name, table]) => tableDefinition(engine, name, table)),
    ...searchDefinition[engine],
  ],
}

const ownUser = { kind: 'int', references: 'users.id', onDelete: 'cascade' } as const

const settingsOfTheFirstSchema = table({
  columns: {
    user_id: ownUser,
    source: { kind: 'text' },
    allow_to_use: { kind: 'bool' },
    valid_until: { kind: 'ms', nullable: true },
    max_conv_count: { kind: 'int' },
    total_ask_count: { kind: 'int' },
    rate_limits: json<unknown>(),
    daily_available_time_slots: json<unknown>(),
    available_models: json<unknown>(),
    disable_uploading: { kind: 'bool' },
    use_team: { kind: 'bool', default: false },
    allow_custom_openai_api: { kind: 'bool', default: false },
    custom_openai_api_url: { kind: 'text', nullable: true },
    custom_openai_api_key: { kind: 'text', nullable: true },
  },
  primaryKey: ['user_id', 'source'],
})

const countsOfTheFirstSchema = table({
  columns: { user_id: ownUser, source: { kind: 'text' }, model: { kind: 'text' }, ask_count: { kind: 'int' } },
  primaryKey: ['user_id', 'source', 'model'],
})

const credentialsOfTheFirstSchema = table({
  columns: {
    credential_name: { kind: 'text' },
    sealed_value: { kind: 'text' },
    origin: { kind: 'text', nullable: true },
    update_time: { kind: 'ms' },
  },
  primaryKey: ['credential_name'],
})

const asksOfTheFirstSchema = table({
  columns: {
    ask_id: { kind: 'text' },
    user_id: { kind: 'int' },
    source: { kind: 'text' },
    model: { kind: 'text' },
    conversation_id: { kind: 'text' },
    question_id: { kind: 'text' },
    reply_id: { kind: 'text' },
    ask_state: { kind: 'text' },
    outcome: { kind: 'text', nullable: true },
    failure_key: { kind: 'text', nullable: true },
    lane: { kind: 'text' },
    round: { kind: 'int', default: 0 },
    ticket: { kind: 'int' },
    holder: { kind: 'text', nullable: true },
    lease_until: { kind: 'ms', nullable: true },
    stop_requested: { kind: 'bool', default: false },
    reserved: json<unknown>(),
    create_time: { kind: 'ms' },
    start_time: { kind: 'ms', nullable: true },
    first_token_time: { kind: 'ms', nullable: true },
    end_time: { kind: 'ms', nullable: true },
  },
  primaryKey: ['ask_id'],
  indexes: [
    ['ask_state', 'lane', 'ticket'],
    ['user_id', 'ask_state', 'create_time'],
    ['conversation_id', 'ask_state'],
    ['source', 'model', 'end_time'],
  ],
})

const chunksOfTheFirstSchema = table({
  columns: { ask_id: { kind: 'text' }, chunk_number: { kind: 'int' }, chunk_text: { kind: 'text' } },
  primaryKey: ['ask_id', 'chunk_number'],
})

const ledgerOfTheFirstSchema = table({
  columns: {
    id: { kind: 'id' },
    user_id: { kind: 'int' },
    ask_id: { kind: 'text', nullable: true },
    source: { kind: 'text' },
    model: { kind: 'text', nullable: true },
    change: { kind: 'int' },
    of_total: { kind: 'bool', default: false },
    of_model: { kind: 'bool', default: false },
    reason: { kind: 'text' },
    create_time: { kind: 'ms' },
  },
  indexes: [['user_id', 'create_time'], ['ask_id']],
})

const queuesOfTheFirstSchema = table({
  columns: { lane: { kind: 'text' }, next_ticket: { kind: 'int' } },
  primaryKey: ['lane'],
})

const logOfTheFirstSchema = table({
  columns: {
    id: { kind: 'id' },
    log_time: { kind: 'ms' },
    source: { kind: 'text' },
    model: { kind: 'text' },
    user_id: { kind: 'int', nullable: true },
    conversation_id: { kind: 'text', nullable: true },
    queueing_time: { kind: 'real' },
    ask_time: { kind: 'real' },
  },
  indexes: [['log_time']],
})
