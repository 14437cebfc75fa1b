import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { tableDefinition, type Engine } from '../schema/definition.ts'
import type { Transaction } from '../schema/schema.ts'
import { json, table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

/**
 * Accounts and keys get rows of their own, with a queue for each: the shared one of each source, and those of people who have an address of
 * their own. Asks, their log, conversations and files name them.
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
      name => `alter table ${name} add column upstream_id ${integer[engine]}`,
    ),
    `alter table conversations add column upstream_conversation_id ${text[engine]}`,
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

const yes: Record<Engine, string> = { sqlite: '1', postgresql: 'true' }
const integer: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }
const text: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }
const now: Record<Engine, string> = {
  sqlite: "cast(strftime('%s', 'now') as integer) * 1000",
  postgresql: 'cast(extract(epoch from now()) * 1000 as bigint)',
}

/** As they were made then: what the tables become later is another migration's. */
const upstreamsThen = table({
  columns: {
    id: { kind: 'id' },
    source: { kind: 'text' },
    user_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'cascade' },
    is_first: { kind: 'bool', default: false },
    label: { kind: 'text' },
    base_url: { kind: 'text', nullable: true },
    sealed_secret: { kind: 'text', nullable: true },
    key_header: { kind: 'text', nullable: true },
    query: { kind: 'text', nullable: true },
    proxy: { kind: 'text', nullable: true },
    connect_timeout: { kind: 'int', nullable: true },
    first_token_timeout: { kind: 'int', nullable: true },
    read_timeout: { kind: 'int', nullable: true },
    ask_timeout: { kind: 'int', nullable: true },
    team_account_id: { kind: 'text', nullable: true },
    concurrency: { kind: 'int', nullable: true },
    shared_limit: { kind: 'int', nullable: true },
    shared_limit_window_seconds: { kind: 'int', nullable: true },
    enabled: { kind: 'bool', default: true },
    paused_by: { kind: 'int', nullable: true },
    paused_since: { kind: 'ms', nullable: true },
    health: { kind: 'text', default: 'normal' },
    cooling_until: { kind: 'ms', nullable: true },
    health_reason: { kind: 'text', nullable: true },
    health_since: { kind: 'ms', nullable: true },
    last_tested: { kind: 'ms', nullable: true },
    last_test: json<unknown>({ nullable: true }),
    models_digest: { kind: 'text', nullable: true },
    models_read_time: { kind: 'ms', nullable: true },
    models_picked: { kind: 'bool', default: false },
    version: { kind: 'int', default: 1 },
    create_time: { kind: 'ms' },
    update_time: { kind: 'ms', nullable: true },
  },
  unique: [['user_id', 'source']],
})

const upstreamModelsThen = table({
  columns: {
    upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
    code: { kind: 'text' },
    name: { kind: 'text' },
    label: { kind: 'text', nullable: true },
    context_length: { kind: 'int', nullable: true },
    position: { kind: 'int' },
    offered: { kind: 'bool' },
  },
  primaryKey: ['upstream_id', 'code'],
})

const queuesThen = table({
  columns: { upstream_id: { kind: 'int' }, next_ticket: { kind: 'int' } },
  primaryKey: ['upstream_id'],
})

type Listed = { id: string; context_length: number | null; for_chat: boolean }

/** The latest list that was read becomes that of the first endpoint, and goes on to count while the endpoint cannot be reached. */
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
