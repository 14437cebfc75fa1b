import { type Engine, tableDefinition } from '../schema/definition.ts'
import { type Migration, ms, nullable, ofUpstream, text } from './migration.ts'

/** As it was made then. */
const reportedWindows = {
  columns: {
    upstream_id: ofUpstream,
    window_key: text,
    capacity: nullable.int,
    used_then: nullable.int,
    ends_at: nullable.ms,
    reported_at: ms,
    pending_capacity: nullable.int,
  },
  primaryKey: ['upstream_id', 'window_key'],
}

const INTEGER: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }
const TEXT: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }

/** What shared accounts have for all who ask them. Those that were there before are shared as they were. */
export const accountWindows: Migration = {
  version: 47,
  name: '047-account-windows',
  statements: engine => [
    'alter table "upstreams" add column "windows" text',
    `alter table "upstreams" add column "sharing" ${TEXT[engine]} not null default 'first_come'`,
    `alter table "upstreams" add column "keep" ${TEXT[engine]} not null default 'usual'`,
    `alter table "upstreams" add column "reserve_percent" ${INTEGER[engine]} not null default 0`,
    `alter table "upstreams" add column "member_names" ${TEXT[engine]} not null default 'full'`,
    `alter table "upstreams" add column "owner_id" ${INTEGER[engine]} references "users" ("id") on delete set null`,
    `alter table "upstreams" add column "pool" ${TEXT[engine]}`,
    ...tableDefinition(engine, 'reported_windows', reportedWindows),
  ],
}
