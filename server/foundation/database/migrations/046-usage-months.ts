import { type Engine, tableDefinition } from '../schema/definition.ts'
import { int, type Migration, ms, text } from './migration.ts'

/** As it was made then. */
const made = {
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
}

/** When the month of UTC began that a half hour is in. */
const MONTH: Record<Engine, string> = {
  sqlite: `cast(strftime('%s', start_time / 1000, 'unixepoch', 'start of month') as integer) * 1000`,
  postgresql: `cast(extract(epoch from date_trunc('month', to_timestamp(start_time / 1000) at time zone 'UTC') at time zone 'UTC') as bigint) * 1000`,
}

const SUMS = Object.keys(made.columns).slice(5)

/** What was used by months, from what is there by half hours. */
export const usageMonths: Migration = {
  version: 46,
  name: '046-usage-months',
  statements: engine => [
    ...tableDefinition(engine, 'usage_months', made),
    `insert into usage_months (user_id, start_time, source, upstream_id, model, ${SUMS.join(', ')})
      select user_id, ${MONTH[engine]}, source, upstream_id, model, ${SUMS.map(name => `sum(${name})`).join(', ')}
      from usage_sums group by user_id, ${MONTH[engine]}, source, upstream_id, model`,
  ],
}
