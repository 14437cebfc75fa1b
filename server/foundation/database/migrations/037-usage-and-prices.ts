import { type Engine, tableDefinition, table } from '../schema/definition.ts'
import { bool, int, type Migration, ms, nullable, ofUpstream, text, yes } from './migration.ts'

/** As they were made then: what they become later is another migration's. */
const usageSums = table({
  columns: {
    user_id: int,
    start_time: ms,
    source: text,
    upstream_id: int,
    model: text,
    asks: int,
    input_tokens: int,
    cached_tokens: int,
    output_tokens: int,
    estimated_asks: int,
    cost: int,
    credit_cost: int,
    ask_time_ms: int,
  },
  primaryKey: ['user_id', 'start_time', 'source', 'upstream_id', 'model'],
  indexes: [['start_time']],
})
const usageLedger = table({
  columns: {
    id: { kind: 'id' },
    time: ms,
    asked_time: ms,
    user_id: int,
    source: text,
    upstream_id: int,
    model: text,
    ask_id: nullable.text,
    reason: text,
    asks: int,
    tokens: int,
    cost: int,
    credit_cost: int,
    input_tokens: int,
    cached_tokens: int,
    output_tokens: int,
    estimated: bool,
  },
  indexes: [['user_id', 'source', 'asked_time']],
})
const usageWindows = table({
  columns: { user_id: int, limit_key: text, opened_at: ms },
  primaryKey: ['user_id', 'limit_key'],
})
const modelPrices = table({
  columns: {
    id: { kind: 'id' },
    upstream_id: ofUpstream,
    model: text,
    from_time: ms,
    input: nullable.int,
    cached_input: nullable.int,
    output: nullable.int,
    picture: nullable.int,
    free: bool,
    is_read: bool,
  },
  indexes: [['upstream_id', 'model', 'from_time']],
})

/** Milliseconds of what is summed. */
const HALF_HOUR = 1_800_000

/** When an ask began that ended then: the log has the seconds that it waited and was answered. */
const ASKED: Record<Engine, string> = {
  sqlite: 'log_time - cast((queueing_time + ask_time) * 1000 as integer)',
  postgresql: 'log_time - cast((queueing_time + ask_time) * 1000 as bigint)',
}

const answered = (engine: Engine) => `from ask_logs where answered = ${yes[engine]} and user_id is not null`
const INPUT = 'coalesce(prompt_tokens, 0)'
const OUTPUT = 'coalesce(completion_tokens, 0)'
const estimatedCount = (engine: Engine) => `case when tokens_estimated = ${yes[engine]} then 1 else 0 end`

const half = (engine: Engine) => `(${ASKED[engine]}) / ${HALF_HOUR} * ${HALF_HOUR}`

/** What was answered before counts, too: nobody's use is forgotten. It has no cost, since nothing had a price. */
const filled = (engine: Engine): string[] => [
  `insert into usage_ledger
    (time, asked_time, user_id, source, upstream_id, model, ask_id, reason, asks, tokens, cost, credit_cost,
     input_tokens, cached_tokens, output_tokens, estimated)
    select log_time, ${ASKED[engine]}, user_id, source, coalesce(upstream_id, 0), model, null, 'settled', 1,
      ${INPUT} + ${OUTPUT}, 0, 0, ${INPUT}, 0, ${OUTPUT}, tokens_estimated
    ${answered(engine)} order by log_time`,
  `insert into usage_sums
    (user_id, start_time, source, upstream_id, model, asks, input_tokens, cached_tokens, output_tokens,
     estimated_asks, cost, credit_cost, ask_time_ms)
    select user_id, ${half(engine)}, source, coalesce(upstream_id, 0), model, count(*), sum(${INPUT}), 0,
      sum(${OUTPUT}), sum(${estimatedCount(engine)}), 0, 0, cast(sum(ask_time * 1000) as ${engine === 'sqlite' ? 'integer' : 'bigint'})
    ${answered(engine)}
    group by user_id, ${half(engine)}, source, coalesce(upstream_id, 0), model`,
]

/** What is used, line by line and summed by half hours; the windows that first asks opened; the prices of models. */
export const usageAndPrices: Migration = {
  version: 37,
  name: '037-usage-and-prices',
  statements: engine => [
    ...tableDefinition(engine, 'usage_sums', usageSums),
    ...tableDefinition(engine, 'usage_ledger', usageLedger),
    ...tableDefinition(engine, 'usage_windows', usageWindows),
    ...tableDefinition(engine, 'model_prices', modelPrices),
    ...['cached_tokens', 'cost'].map(
      column => `alter table ask_logs add column "${column}" ${engine === 'sqlite' ? 'integer' : 'bigint'}`,
    ),
    ...filled(engine),
  ],
}
