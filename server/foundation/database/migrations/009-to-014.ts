import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { tableDefinition, type Engine, TYPES, type Table } from '../schema/definition.ts'
import type { Transaction } from '../schema/schema.ts'
import { type Migration, bool, int, ms, nullable, ofConversation, ofUpstream, text, yes } from './migration.ts'

const jobs: Table = {
  columns: {
    job_name: text,
    job_key: text,
    job_input: nullable.json,
    started_by: nullable.int,
    next_run: nullable.ms,
    holder: nullable.text,
    lease_until: nullable.ms,
    stop_requested: { kind: 'bool', default: false },
    failures: { kind: 'int', default: 0 },
    start_time: nullable.ms,
    progress: nullable.json,
    end_time: nullable.ms,
    last_run: nullable.json,
  },
  primaryKey: ['job_name', 'job_key'],
}

/** What is done again and again, or takes long, is remembered across processes. */
export const jobsMigration: Migration = {
  version: 9,
  name: '009-jobs',
  statements: engine => tableDefinition(engine, 'jobs', jobs),
}

/**
 * Accounts and keys get rows of their own, with a queue for each: the shared one of each source, and those of people
 * who have an address of their own. Asks, their log, conversations and files name them.
 */
export const upstreams: Migration = {
  version: 10,
  name: '010-upstreams',
  statements: engine => [
    ...tableDefinition(engine, 'upstreams', upstreamsThen),
    ...tableDefinition(engine, 'upstream_models', upstreamModelsThen),
    ...tableDefinition(engine, 'queues', queuesThen),
    ...['openai_web', 'openai_api'].map(
      source =>
        `insert into upstreams (source, is_first, label, create_time) values ('${source}', ${yes[engine]}, '', ${now[engine]})`,
    ),
    `insert into upstreams (source, user_id, label, create_time)
       select source, user_id, '', ${now[engine]} from user_source_settings
       where source = 'openai_api' and (custom_openai_api_url is not null or exists (
         select 1 from asks where asks.user_id = user_source_settings.user_id and asks.lane = 'openai_api:own'))`,
    // Each queue of a person goes on from the last ticket of the one that all of them had.
    `insert into queues (upstream_id, next_ticket)
       select upstreams.id, lanes.next_ticket from upstreams
       join lanes on lanes.lane = case when is_first then upstreams.source else 'openai_api:own' end`,
    'drop table lanes',
    'drop index "asks_living"',
    // 0: somebody's own, who has no account any more.
    'alter table asks add column upstream_id integer not null default 0',
    `update asks set upstream_id = coalesce((
       select id from upstreams where upstreams.source = asks.source and case when asks.lane = asks.source then is_first else upstreams.user_id = asks.user_id end
     ), 0)`,
    'alter table asks drop column lane',
    'create index "asks_living" on "asks" ("upstream_id", "ask_state", "round", "user_id") where end_time is null',
    ...['ask_logs', 'conversations', 'uploaded_files'].map(
      name => `alter table ${name} add column upstream_id ${TYPES[engine].int}`,
    ),
    `alter table conversations add column upstream_conversation_id ${TYPES[engine].text}`,
    'update ask_logs set upstream_id = (select id from upstreams where upstreams.source = ask_logs.source and is_first)',
    'create index "ask_logs_upstream_id_log_time" on "ask_logs" ("upstream_id", "log_time")',
    // Conversations with an endpoint may go on anywhere; those with the web service stay where they were had.
    `update conversations set upstream_id = (select id from upstreams where upstreams.source = conversations.source and is_first)
       where source = 'openai_web'`,
    `update uploaded_files set upstream_id = (select id from upstreams where upstreams.source = 'openai_web' and is_first)
       where web_file_id is not null`,
  ],
  finish: moveListedModels,
}

const now: Record<Engine, string> = {
  sqlite: "cast(strftime('%s', 'now') as integer) * 1000",
  postgresql: 'cast(extract(epoch from now()) * 1000 as bigint)',
}

const upstreamsThen: Table = {
  columns: {
    id: { kind: 'id' },
    source: text,
    user_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'cascade' },
    is_first: { kind: 'bool', default: false },
    label: text,
    base_url: nullable.text,
    sealed_secret: nullable.text,
    key_header: nullable.text,
    query: nullable.text,
    proxy: nullable.text,
    connect_timeout: nullable.int,
    first_token_timeout: nullable.int,
    read_timeout: nullable.int,
    ask_timeout: nullable.int,
    team_account_id: nullable.text,
    concurrency: nullable.int,
    shared_limit: nullable.int,
    shared_limit_window_seconds: nullable.int,
    enabled: { kind: 'bool', default: true },
    paused_by: nullable.int,
    paused_since: nullable.ms,
    health: { kind: 'text', default: 'normal' },
    cooling_until: nullable.ms,
    health_reason: nullable.text,
    health_since: nullable.ms,
    last_tested: nullable.ms,
    last_test: nullable.json,
    models_digest: nullable.text,
    models_read_time: nullable.ms,
    models_picked: { kind: 'bool', default: false },
    version: { kind: 'int', default: 1 },
    create_time: ms,
    update_time: nullable.ms,
  },
  unique: [['user_id', 'source']],
}

const upstreamModelsThen: Table = {
  columns: {
    upstream_id: ofUpstream,
    code: text,
    name: text,
    label: nullable.text,
    context_length: nullable.int,
    position: int,
    offered: bool,
  },
  primaryKey: ['upstream_id', 'code'],
}

const queuesThen: Table = {
  columns: { upstream_id: int, next_ticket: int },
  primaryKey: ['upstream_id'],
}

type Listed = { id: string; context_length: number | null; for_chat: boolean }

/** The list that was read last becomes that of the first endpoint, and counts while that cannot be reached. */
async function moveListedModels(trx: Transaction): Promise<void> {
  const { rows } = await sql<{ address_digest: string; listed: string; read_time: number }>`
    select address_digest, models as listed, read_time from listed_models order by read_time desc limit 1`.execute(trx)
  const [latest] = rows
  if (latest !== undefined) {
    const first = sql`(select id from upstreams where source = 'openai_api' and is_first)`
    const models = new Map((JSON.parse(latest.listed) as Listed[]).map(model => [codeOf(model.id), model])) // as the table had them
    for (const [position, [code, { id, context_length, for_chat }]] of [...models].entries())
      await sql`insert into upstream_models (upstream_id, code, name, context_length, position, offered)
        values (${first}, ${code}, ${id}, ${context_length}, ${position}, ${for_chat})`.execute(trx)
    await sql`update upstreams set models_digest = ${latest.address_digest}, models_read_time = ${latest.read_time}
      where source = 'openai_api' and is_first`.execute(trx)
  }
  await sql`drop table listed_models`.execute(trx)
}

/** The code that the program of then gave a model of an endpoint. */
function codeOf(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$/.test(id) && id !== 'gpt_3_5' && id !== 'gpt_4') return id
  const slug =
    id
      .replace(/[^A-Za-z0-9_.:/-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 55) || 'model'
  return `${slug}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`
}

const search_queue: Table = {
  columns: {
    id: { kind: 'id' },
    conversation_id: ofConversation,
    message_id: text,
  },
  indexes: [['conversation_id']],
}

/** Answers are indexed behind the transaction that stores them. */
export const searchQueue: Migration = {
  version: 11,
  name: '011-search-queue',
  statements: engine => tableDefinition(engine, 'search_queue', search_queue),
}

/** A stored credential says who entered it, as stored settings do. */
export const whoSetCredentials: Migration = {
  version: 12,
  name: '012-who-set-credentials',
  statements: engine => [`alter table "stored_credentials" add column "updated_by" ${TYPES[engine].int}`],
}

/**
 * Asks that brought nothing are logged too, each with its outcome and its tokens; sums of requests and asks are kept.
 * Before, only answered asks were logged: their outcomes are those of the asks that ended in the same transaction.
 */
export const statistics: Migration = {
  version: 13,
  name: '013-statistics',
  statements: engine => [
    `alter table ask_logs add column outcome ${TYPES[engine].text} not null default 'finished'`,
    `alter table ask_logs add column failure_key ${TYPES[engine].text}`,
    `alter table ask_logs add column answered ${answered[engine]}`,
    `alter table ask_logs add column prompt_tokens ${TYPES[engine].int}`,
    `alter table ask_logs add column completion_tokens ${TYPES[engine].int}`,
    `alter table ask_logs add column tokens_estimated ${estimated[engine]}`,
    `update ask_logs set outcome = coalesce((
       select outcome from asks where asks.conversation_id = ask_logs.conversation_id and asks.end_time = ask_logs.log_time
       and asks.outcome is not null limit 1), 'finished')`,
    'drop index "ask_logs_upstream_id_log_time"',
    'create index "ask_logs_answered" on "ask_logs" ("upstream_id", "log_time") where answered',
    ...tableDefinition(engine, 'ask_sums', askSumsThen),
    ...tableDefinition(engine, 'request_sums', requestSumsThen),
    ...tableDefinition(engine, 'request_people', requestUsersThen),
  ],
}

const answered: Record<Engine, string> = {
  sqlite: 'integer not null default 1 check (answered in (0, 1))',
  postgresql: 'boolean not null default true',
}
const estimated: Record<Engine, string> = {
  sqlite: 'integer not null default 0 check (tokens_estimated in (0, 1))',
  postgresql: 'boolean not null default false',
}

const askSumsThen: Table = {
  columns: {
    span_ms: int,
    start_time: ms,
    source: text,
    model: text,
    outcome: text,
    asks: int,
    queueing_time: { kind: 'real' },
    longest_queueing_time: { kind: 'real' },
    ask_time: { kind: 'real' },
  },
  primaryKey: ['span_ms', 'start_time', 'source', 'model', 'outcome'],
}

const requestSumsThen: Table = {
  columns: {
    span_ms: int,
    start_time: ms,
    route_path: text,
    method: text,
    requests: int,
    elapsed_ms: { kind: 'real' },
  },
  primaryKey: ['span_ms', 'start_time', 'route_path', 'method'],
}

const requestUsersThen: Table = {
  columns: {
    span_ms: int,
    start_time: ms,
    route_path: text,
    method: text,
    user_id: int,
    requests: int,
  },
  primaryKey: ['span_ms', 'start_time', 'route_path', 'method', 'user_id'],
}

/** What remains was all that was stored of a count. Less what was used since it was set, which the ledger knows. */
const allowedOf = (remaining: string, of: 'of_total' | 'of_model', table: string) => {
  const rows = (name: string) => `ask_ledger as ${name} where ${name}.user_id = ${table}.user_id
    and ${name}.source = ${table}.source and ${name}.${of}${of === 'of_model' ? ` and ${name}.model = ${table}.model` : ''}`
  return `case when ${remaining} < 0 then ${remaining} else ${remaining} - coalesce((select sum(entry.change)
    from ${rows('entry')} and entry.id > coalesce((select max(last_set.id) from ${rows('last_set')} and last_set.reason = 'set'), 0)), 0) end`
}

/** People are searched by a folded text, and how much is allowed is stored beside what remains of it. */
export const usersAtScale: Migration = {
  version: 14,
  name: '014-users-at-scale',
  statements: engine => [
    `alter table "users" add column "search_text" ${TYPES[engine].text} not null default ''`,
    `alter table "user_source_settings" add column "total_ask_allowed" ${TYPES[engine].int} not null default -1`,
    `alter table "user_model_ask_counts" add column "ask_allowed" ${TYPES[engine].int} not null default -1`,
    `update user_source_settings set total_ask_allowed = ${allowedOf('total_ask_count', 'of_total', 'user_source_settings')}`,
    `update user_model_ask_counts set ask_allowed = ${allowedOf('ask_count', 'of_model', 'user_model_ask_counts')}`,
    // No less than what remains, whatever the ledger says.
    'update user_source_settings set total_ask_allowed = total_ask_count where total_ask_allowed < total_ask_count',
    'update user_model_ask_counts set ask_allowed = ask_count where ask_allowed < ask_count',
  ],
  finish: fillSearchTexts,
}

async function fillSearchTexts(trx: Transaction): Promise<void> {
  const { rows } = await sql<{ id: number; nickname: string; username: string; email: string; remark: string | null }>`
    select id, nickname, username, email, remark from users`.execute(trx)
  for (const { id, nickname, username, email, remark } of rows) {
    const searchText = [nickname, username, email, remark ?? ''].join('\n').normalize('NFKC').toLowerCase()
    await sql`update users set search_text = ${searchText} where id = ${id}`.execute(trx)
  }
}
