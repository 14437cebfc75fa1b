import { table } from './definition.ts'

/** Amounts of money are millionths of the portal's currency. A user of 0 is anybody who was erased. */
/** Queries that are to use a partial index say the same. */
const BY_KEY = 'key_id is not null'

export const usageTables = {
  /** What was used, added up: of a person, a half hour in which asks began, and a model of an upstream. */
  usage_sums: table({
    columns: {
      user_id: { kind: 'int' },
      start_time: { kind: 'ms' },
      source: { kind: 'text' },
      upstream_id: { kind: 'int' },
      model: { kind: 'text' },
      asks: { kind: 'int' },
      input_tokens: { kind: 'int' },
      cached_tokens: { kind: 'int' }, // of those
      output_tokens: { kind: 'int' },
      estimated_asks: { kind: 'int' }, // of which the upstream reported no tokens
      cost: { kind: 'int' },
      credit_cost: { kind: 'int' }, // of it, what credits paid
      ask_time_ms: { kind: 'int' },
      // of asks for when it was quiet: what the account counts and the person does not pay
      uncharged_asks: { kind: 'int', default: 0 }, // in thousandths
      uncharged_tokens: { kind: 'int', default: 0 },
      uncharged_cost: { kind: 'int', default: 0 },
    },
    primaryKey: ['user_id', 'start_time', 'source', 'upstream_id', 'model'],
    indexes: [['start_time']],
  }),

  /** The same line by line: one for each ask that was answered, and for each change that an administrator makes. */
  usage_ledger: table({
    columns: {
      id: { kind: 'id' },
      time: { kind: 'ms' },
      asked_time: { kind: 'ms' }, // when the ask began: limits count it in the windows of that moment
      user_id: { kind: 'int' },
      source: { kind: 'text' },
      upstream_id: { kind: 'int' },
      model: { kind: 'text' },
      ask_id: { kind: 'text', nullable: true },
      reason: { kind: 'text' }, // settled, granted, taken back, set
      asks: { kind: 'int' },
      tokens: { kind: 'int' },
      cost: { kind: 'int' },
      credit_cost: { kind: 'int' },
      input_tokens: { kind: 'int' },
      cached_tokens: { kind: 'int' },
      output_tokens: { kind: 'int' },
      estimated: { kind: 'bool' },
      // What of the shared account was not of one's own share: so much of this window, of that person's share.
      borrowed: { kind: 'int', default: 0 },
      borrowed_key: { kind: 'text', nullable: true },
      lender_id: { kind: 'int', nullable: true }, // 0: what was nobody's
      charged: { kind: 'int', default: 1_000 }, // thousandths of it that the person pays
      key_id: { kind: 'int', nullable: true }, // by which key; null: by the page
      tool: { kind: 'text', nullable: true },
    },
    indexes: [
      // for the limits of keys
      { name: 'of_key', columns: ['key_id', 'asked_time'], where: BY_KEY },
      ['user_id', 'source', 'asked_time'],
      ['upstream_id', 'id'],
      ['upstream_id', 'asked_time'],
    ],
  }),

  /** In which currency the costs are: one row. */
  ledger_currency: table({ columns: { ledger: { kind: 'text' }, currency: { kind: 'text' } }, primaryKey: ['ledger'] }),

  /** When the first ask opened a window that begins with it. */
  usage_windows: table({
    columns: { user_id: { kind: 'int' }, limit_key: { kind: 'text' }, opened_at: { kind: 'ms' } },
    primaryKey: ['user_id', 'limit_key'],
  }),
}
