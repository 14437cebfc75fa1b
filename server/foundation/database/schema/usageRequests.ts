import { table } from './definition.ts'

const ownUser = { kind: 'int', references: 'users.id', onDelete: 'cascade' } as const

export const usageRequestTables = {
  /** What people ask for beyond their limits. What was granted is in force until its end. */
  usage_requests: table({
    columns: {
      id: { kind: 'id' },
      user_id: ownUser,
      source: { kind: 'text' },
      unit: { kind: 'text' }, // asks, tokens, money
      amount: { kind: 'int' }, // money in millionths
      until: { kind: 'ms' },
      reason: { kind: 'text' },
      create_time: { kind: 'ms' },
      decision: { kind: 'text', nullable: true }, // granted, declined; null while it is open
      granted_amount: { kind: 'int', nullable: true },
      granted_until: { kind: 'ms', nullable: true },
      word: { kind: 'text', default: '' },
      decided_by: { kind: 'int', nullable: true },
      decide_time: { kind: 'ms', nullable: true },
      // of a share of this account, not of one's limits
      upstream_id: { kind: 'int', nullable: true, references: 'upstreams.id', onDelete: 'cascade' },
    },
    indexes: [
      { name: 'open', columns: ['user_id', 'source', 'unit'], where: 'decision is null' },
      { name: 'granted', columns: ['user_id', 'source', 'granted_until'], where: 'granted_until is not null' },
    ],
  }),

  /** `usage_sums` added up by months of UTC, so that a year of everybody is read from few rows. */
  usage_months: table({
    columns: {
      user_id: { kind: 'int' },
      start_time: { kind: 'ms' },
      source: { kind: 'text' },
      upstream_id: { kind: 'int' },
      model: { kind: 'text' },
      asks: { kind: 'int' },
      input_tokens: { kind: 'int' },
      cached_tokens: { kind: 'int' },
      output_tokens: { kind: 'int' },
      estimated_asks: { kind: 'int' },
      cost: { kind: 'int' },
      credit_cost: { kind: 'int' },
      ask_time_ms: { kind: 'int' },
      uncharged_asks: { kind: 'int', default: 0 },
      uncharged_tokens: { kind: 'int', default: 0 },
      uncharged_cost: { kind: 'int', default: 0 },
    },
    primaryKey: ['user_id', 'start_time', 'source', 'upstream_id', 'model'],
    indexes: [['start_time']],
  }),

  /** What somebody has been shown of their limits and requests, so that no browser shows it again. */
  usage_notices: table({
    columns: {
      user_id: ownUser,
      notice_key: { kind: 'text' },
      until: { kind: 'ms', nullable: true }, // then it may be shown again; null: never
    },
    primaryKey: ['user_id', 'notice_key'],
  }),
}
