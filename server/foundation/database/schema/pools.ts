import { table } from './definition.ts'

/** What several people have of one account. Several accounts that are one pool are named by the lowest of their ids. */
export const poolTables = {
  /** When the first ask opened a window of a pool that begins with it. */
  pool_openings: table({
    columns: {
      upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
      window_key: { kind: 'text' },
      opened_at: { kind: 'ms' },
    },
    primaryKey: ['upstream_id', 'window_key'],
  }),

  /** Who came within their share and found nothing left: the next that comes back is theirs. */
  share_claims: table({
    columns: {
      upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
      user_id: { kind: 'int', references: 'users.id', onDelete: 'cascade' },
      time: { kind: 'ms' },
      // what they came with
      need_asks: { kind: 'int' }, // thousandths
      need_tokens: { kind: 'int' },
      need_money: { kind: 'int' },
    },
    primaryKey: ['upstream_id', 'user_id'],
  }),

  /** Of one row: counts the changes of who may ask and how much is theirs. */
  members_version: table({ columns: { version: { kind: 'int' } } }),
}
