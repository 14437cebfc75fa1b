import { tableDefinition, type Table, TYPES } from '../schema/definition.ts'
import { int, type Migration, ms, no, ofUpstream, ownUser, text } from './migration.ts'

/** As they were made then: what they become later is another migration's. */
const made: Record<string, Table> = {
  pool_openings: {
    columns: { upstream_id: ofUpstream, window_key: text, opened_at: ms },
    primaryKey: ['upstream_id', 'window_key'],
  },
  share_claims: {
    columns: {
      upstream_id: ofUpstream,
      user_id: ownUser,
      time: ms,
      need_asks: int,
      need_tokens: int,
      need_money: int,
    },
    primaryKey: ['upstream_id', 'user_id'],
  },
  members_version: { columns: { version: int } },
}

/** Whose part of a shared account an ask is of, and what decides about the parts. */
export const sharesMigration: Migration = {
  version: 48,
  name: '048-shares',
  statements: engine => {
    const { int: whole, text: words, bool: flag } = TYPES[engine]
    const isTruth = engine === 'sqlite' ? ' check ("borrows" in (0, 1))' : ''
    return [
      ...Object.entries(made).flatMap(([name, table]) => tableDefinition(engine, name, table)),
      'insert into "members_version" ("version") values (0)',
      `alter table "usage_ledger" add column "borrowed" ${whole} not null default 0`,
      `alter table "usage_ledger" add column "borrowed_key" ${words}`,
      `alter table "usage_ledger" add column "lender_id" ${whole}`,
      `alter table "usage_ledger" add column "charged" ${whole} not null default 1000`,
      'create index "usage_ledger_upstream_id_id" on "usage_ledger" ("upstream_id", "id")',
      'create index "usage_ledger_upstream_id_asked_time" on "usage_ledger" ("upstream_id", "asked_time")',
      `alter table "asks" add column "borrows" ${flag} not null default ${no[engine]}${isTruth}`,
      `alter table "asks" add column "lent" ${whole} not null default 0`,
    ]
  },
}
