import { sql } from 'kysely'
import { tableDefinition, TYPES, type Engine, type Table } from '../schema/definition.ts'
import type { Transaction } from '../schema/schema.ts'
import { type Migration, int, json, ms, no, nullable, ofUpstream, ownUser, text, yes } from './migration.ts'

const settings: Table = {
  columns: {
    user_id: ownUser,
    source: text,
    begin_time: { kind: 'ms', default: 0 },
    allow_to_use: nullable.bool,
    has_own_validity: { kind: 'bool', default: false },
    valid_until: nullable.ms,
    max_conv_count: nullable.int,
    total_ask_allowed: nullable.int,
    rate_limits: nullable.json,
    daily_available_time_slots: nullable.json,
    available_models: nullable.json,
    disable_uploading: nullable.bool,
    use_team: nullable.bool,
    allow_custom_openai_api: nullable.bool,
    custom_openai_api_url: nullable.text,
    custom_openai_api_key: nullable.text,
  },
  primaryKey: ['user_id', 'source'],
}

const allowances: Table = {
  columns: { user_id: ownUser, source: text, model: text, ask_allowed: int },
  primaryKey: ['user_id', 'source', 'model'],
}

const counts: Table = {
  columns: { user_id: ownUser, source: text, model: text, used: int },
  primaryKey: ['user_id', 'source', 'model'],
}

const KEPT = `user_id, source, allow_to_use, valid_until, max_conv_count, total_ask_allowed, rate_limits, daily_available_time_slots,
  available_models, disable_uploading, use_team, allow_custom_openai_api, custom_openai_api_url, custom_openai_api_key`

/**
 * What people may and what they have used are told apart. Everybody keeps what they have as values of their own, and
 * what they have used of it; whoever comes later inherits the default plan.
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

const coolingThen: Table = {
  columns: {
    upstream_id: ofUpstream,
    model: text,
    cooling_until: ms,
    since: ms,
    reason: text,
  },
  primaryKey: ['upstream_id', 'model'],
}

/** The limit of one model leaves the other models of its account to be asked. */
export const coolingModels: Migration = {
  version: 27,
  name: '027-cooling-models',
  statements: engine => tableDefinition(engine, 'cooling_models', coolingThen),
}

const LIVES = 'end_time is null'
const HAS_TEXT = 'first_token_time is not null'

const asksThen: Table = {
  columns: {
    ask_id: text,
    user_id: int,
    source: text,
    model: text,
    conversation_id: nullable.text,
    question_id: text,
    reply_id: text,
    ask_state: text,
    outcome: nullable.text,
    failure_key: nullable.text,
    failure_values: nullable.json,
    upstream_id: { kind: 'int', default: 0 },
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
  },
  primaryKey: ['ask_id'],
  indexes: [
    { name: 'living', columns: ['upstream_id', 'ask_state', 'round', 'user_id'], where: LIVES },
    { name: 'living_of_user', columns: ['user_id', 'create_time'], where: LIVES },
    { name: 'counted', columns: ['user_id', 'create_time', 'source'], where: `${LIVES} or ${HAS_TEXT}` },
    { name: 'answered', columns: ['source', 'model', 'end_time'], where: HAS_TEXT },
    ['conversation_id', 'create_time'],
  ],
}

const ASK_COLUMNS = Object.keys(asksThen.columns).join(', ')
const ASK_INDEXES = ['living', 'living_of_user', 'counted', 'answered', 'conversation_id_create_time']

/** An ask need not belong to a conversation. SQLite changes no column of a table, so that the table is made anew. */
export const asksWithoutConversation: Migration = {
  version: 28,
  name: '028-asks-without-conversation',
  statements: engine =>
    engine === 'postgresql'
      ? ['alter table asks alter column conversation_id drop not null']
      : [
          ...ASK_INDEXES.map(name => `drop index asks_${name}`),
          'alter table asks rename to former_asks',
          ...tableDefinition(engine, 'asks', asksThen),
          `insert into asks (${ASK_COLUMNS}) select ${ASK_COLUMNS} from former_asks`,
          'drop table former_asks',
        ],
}

/**
 * The upstreams that settings and stored credentials spoke of get what those had: every upstream is a row with all that
 * it has. Secrets move as they are sealed, since their key is not in the database; each start seals anew what it can
 * open.
 */
export const oneKindOfUpstream: Migration = {
  version: 29,
  name: '029-one-kind-of-upstream',
  statements: engine => [
    `alter table "upstreams" add column "secret_origin" ${TYPES[engine].text}`,
    `alter table "upstreams" add column "secret_form" ${TYPES[engine].text}`,
    'alter table "upstreams" add column "values_set" text',
    `update upstreams set sealed_secret = stored.sealed_value, secret_origin = coalesce(stored.origin, ''), secret_form = 'credential',
       secret_by = stored.updated_by, secret_time = stored.update_time
       from stored_credentials stored
       where is_first and source = case stored.credential_name
         when 'openai_api_key' then 'openai_api' when 'openai_web_access_token' then 'openai_web' end`,
    'drop table stored_credentials',
  ],
  async finish(trx) {
    for (const [source, columns] of Object.entries(SETTING_COLUMNS)) await moveValues(trx, source, columns)
    await sql`alter table upstreams drop column is_first`.execute(trx)
  },
}

type Columns = Record<string, { column: string; kind: 'text' | 'int' }>

const OF_EVERY_SOURCE: Columns = {
  proxy: { column: 'proxy', kind: 'text' },
  max_completion_concurrency: { column: 'concurrency', kind: 'int' },
  shared_limit: { column: 'shared_limit', kind: 'int' },
  shared_limit_window_seconds: { column: 'shared_limit_window_seconds', kind: 'int' },
}

/** The columns that settings of then become, by the keys of those. */
const SETTING_COLUMNS: Record<string, Columns> = {
  openai_api: {
    ...OF_EVERY_SOURCE,
    openai_base_url: { column: 'base_url', kind: 'text' },
    key_header: { column: 'key_header', kind: 'text' },
  },
  openai_web: {
    ...OF_EVERY_SOURCE,
    chatgpt_base_url: { column: 'base_url', kind: 'text' },
    team_account_id: { column: 'team_account_id', kind: 'text' },
  },
}

type Setting = { setting_path: string; stored_value: string; update_time: number; updated_by: number | null }

async function moveValues(trx: Transaction, source: string, columns: Columns): Promise<void> {
  const { rows } = await sql<Setting>`
    select setting_path, setting_value as stored_value, update_time, updated_by from stored_settings`.execute(trx)
  const set: Record<string, { by: number | null; time: number }> = {}
  for (const { setting_path, stored_value, update_time, updated_by } of rows) {
    const [section, key = ''] = setting_path.split('.')
    const moved = section === source ? columns[key] : undefined
    if (moved === undefined) continue
    const value: unknown = JSON.parse(stored_value)
    await sql`delete from stored_settings where setting_path = ${setting_path}`.execute(trx)
    // What is no such value was not in force either.
    if (!isOfKind(value, moved.kind)) continue
    await sql`update upstreams set ${sql.ref(moved.column)} = ${value} where source = ${source} and is_first`.execute(
      trx,
    )
    set[moved.column] = { by: updated_by, time: update_time }
  }
  if (Object.keys(set).length > 0)
    await sql`update upstreams set values_set = ${JSON.stringify(set)} where source = ${source} and is_first`.execute(
      trx,
    )
}

function isOfKind(value: unknown, kind: 'text' | 'int'): boolean {
  if (value === null) return true
  return kind === 'text' ? typeof value === 'string' : Number.isSafeInteger(value)
}

const searchIndexThen: Table = { columns: { version: int, next_id: nullable.int } }

/**
 * There is one search index, of a version. That of schema 7 goes, where it still is; a database in which not all
 * messages have the terms of then is of the version before, so that the job indexes them anew.
 */
export const oneSearchIndex: Migration = {
  version: 30,
  name: '030-one-search-index',
  statements: engine => [
    ...EARLIER_INDEX[engine],
    ...tableDefinition(engine, 'search_index', searchIndexThen),
    `insert into search_index (version)
       select case when exists (select 1 from search_rebuild) or exists (select 1 from search_refold) then 1 else 2 end`,
    'drop table search_rebuild',
    'drop table search_refold',
  ],
}

const EARLIER_INDEX: Record<Engine, readonly string[]> = {
  sqlite: ['drop trigger if exists searched_messages_forgotten', 'drop table if exists message_grams'],
  postgresql: ['alter table searched_messages drop column if exists grams'],
}

/**
 * What models take and can is kept beside them: what their upstream says, what an administrator set, and what refusals
 * taught. Context lengths of picked models were typed, so they are set. Which models of the web accounts take files and
 * pictures was known.
 */
export const capabilitiesOfModels: Migration = {
  version: 31,
  name: '031-capabilities-of-models',
  statements: engine => [
    ...CAPABILITY_COLUMNS[engine].map(column => `alter table "upstream_models" add column ${column}`),
    `update upstream_models set set_capabilities = '{"context_length":' || context_length || '}', context_length = null
      where context_length is not null and upstream_id in (select id from upstreams where models_picked)`,
    `update upstream_models set learned_context_length = learned.tokens, learned_digest = learned.address_digest,
      learned_time = learned.update_time from learned_contexts learned
      where learned.upstream_id = upstream_models.upstream_id and learned.model_name = upstream_models.name`,
    `insert into upstream_models (upstream_id, code, name, position, offered, listed, learned_context_length, learned_digest, learned_time)
      select upstream_id, '#' || model_name, model_name, 1000000, ${no[engine]}, ${no[engine]}, tokens, address_digest, update_time
      from learned_contexts learned where not exists (select 1 from upstream_models known
        where known.upstream_id = learned.upstream_id and known.name = learned.model_name)`,
    'drop table learned_contexts',
    ofWebAccounts(engine, 'gpt_4', 'gpt-4', '{"takes_pictures":true,"takes_files":true}'),
    ofWebAccounts(engine, 'gpt_4_code_interpreter', 'gpt-4-code-interpreter', '{"takes_files":true}'),
  ],
}

const flag = (name: string) => `"${name}" integer check ("${name}" in (0, 1))`

const CAPABILITY_COLUMNS: Record<Engine, readonly string[]> = {
  sqlite: [
    flag('takes_pictures'),
    flag('takes_files'),
    flag('uses_tools'),
    '"thinking_levels" text',
    '"set_capabilities" text',
    '"request_fields" text',
    '"learned_context_length" integer',
    '"learned_digest" text',
    '"learned_time" integer',
    '"listed" integer not null default 1 check ("listed" in (0, 1))',
  ],
  postgresql: [
    '"takes_pictures" boolean',
    '"takes_files" boolean',
    '"uses_tools" boolean',
    '"thinking_levels" text',
    '"set_capabilities" text',
    '"request_fields" text',
    '"learned_context_length" bigint',
    '"learned_digest" text collate "C"',
    '"learned_time" bigint',
    '"listed" boolean not null default true',
  ],
}

const ofWebAccounts = (engine: Engine, code: string, name: string, set: string) =>
  `insert into upstream_models (upstream_id, code, name, position, offered, listed, set_capabilities)
    select id, '${code}', '${name}', 1000000, ${no[engine]}, ${no[engine]}, '${set}' from upstreams
    where source = 'openai_web' and user_id is null and not exists (select 1 from upstream_models known
      where known.upstream_id = upstreams.id and known.code = '${code}')`
