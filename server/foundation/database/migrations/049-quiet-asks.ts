import type { Migration } from './migration.ts'

const add = (table: string, column: string, definition: string) =>
  `alter table "${table}" add column "${column}" ${definition}`

/** Asks for when it is quiet: until when they wait, what starts them, and that they are charged half. */
export const quietAsks: Migration = {
  version: 49,
  name: '049-quiet-asks',
  statements: engine => {
    const whole = engine === 'sqlite' ? 'integer' : 'bigint'
    return [
      add('asks', 'quiet_until', whole),
      add('asks', 'quiet_request', 'text'),
      add('asks', 'charged', `${whole} not null default 1000`),
      add('ask_logs', 'charged', `${whole} not null default 1000`),
      add('ask_ledger', 'charged', `${whole} not null default 1000`),
      add('users', 'signed_out_time', whole),
      ...['usage_sums', 'usage_months'].flatMap(table =>
        ['uncharged_asks', 'uncharged_tokens', 'uncharged_cost'].map(column =>
          add(table, column, `${whole} not null default 0`),
        ),
      ),
      add('ask_counts', 'used_halves', `${whole} not null default 0`),
    ]
  },
}
