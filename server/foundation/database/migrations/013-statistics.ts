import { tableDefinition, type Engine } from '../schema/definition.ts'
import { table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

/**
 * Asks that brought nothing are logged too, each with its outcome and its tokens; sums of requests and asks are kept. Until now only answered asks were
 * logged: their outcomes are those of the asks that ended in the same transaction.
 */
export const statistics: Migration = {
  version: 13,
  name: '013-statistics',
  statements: engine => [
    `alter table ask_logs add column outcome ${text[engine]} not null default 'finished'`,
    `alter table ask_logs add column failure_key ${text[engine]}`,
    `alter table ask_logs add column answered ${answered[engine]}`,
    `alter table ask_logs add column prompt_tokens ${integer[engine]}`,
    `alter table ask_logs add column completion_tokens ${integer[engine]}`,
    `alter table ask_logs add column tokens_estimated ${estimated[engine]}`,
    `update ask_logs set outcome = coalesce((
       select outcome from asks where asks.conversation_id = ask_logs.conversation_id and asks.end_time = ask_logs.log_time
       and asks.outcome is not null limit 1), 'finished')`,
    'drop index "ask_logs_upstream_id_log_time"',
    'create index "ask_logs_answered" on "ask_logs" ("upstream_id", "log_time") where answered',
    ...tableDefinition(engine, 'ask_sums', askSumsThen),
    ...tableDefinition(engine, 'request_sums', requestSumsThen),
    ...tableDefinition(engine, 'request_people', requestPeopleThen),
  ],
}

const integer: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }
const text: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }
const answered: Record<Engine, string> = {
  sqlite: 'integer not null default 1 check (answered in (0, 1))',
  postgresql: 'boolean not null default true',
}
const estimated: Record<Engine, string> = {
  sqlite: 'integer not null default 0 check (tokens_estimated in (0, 1))',
  postgresql: 'boolean not null default false',
}

/** As they were made then: what the tables become later is another migration's. */
const askSumsThen = table({
  columns: {
    span_ms: { kind: 'int' },
    start_time: { kind: 'ms' },
    source: { kind: 'text' },
    model: { kind: 'text' },
    outcome: { kind: 'text' },
    asks: { kind: 'int' },
    queueing_time: { kind: 'real' },
    longest_queueing_time: { kind: 'real' },
    ask_time: { kind: 'real' },
  },
  primaryKey: ['span_ms', 'start_time', 'source', 'model', 'outcome'],
})

const requestSumsThen = table({
  columns: {
    span_ms: { kind: 'int' },
    start_time: { kind: 'ms' },
    route_path: { kind: 'text' },
    method: { kind: 'text' },
    requests: { kind: 'int' },
    elapsed_ms: { kind: 'real' },
  },
  primaryKey: ['span_ms', 'start_time', 'route_path', 'method'],
})

const requestPeopleThen = table({
  columns: {
    span_ms: { kind: 'int' },
    start_time: { kind: 'ms' },
    route_path: { kind: 'text' },
    method: { kind: 'text' },
    user_id: { kind: 'int' },
    requests: { kind: 'int' },
  },
  primaryKey: ['span_ms', 'start_time', 'route_path', 'method', 'user_id'],
})
