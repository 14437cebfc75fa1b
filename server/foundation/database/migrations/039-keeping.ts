import type { Engine } from '../schema/definition.ts'
import { type Migration, no } from './migration.ts'

const NOW: Record<Engine, string> = {
  sqlite: `cast(unixepoch('subsec') * 1000 as integer)`,
  postgresql: `cast(extract(epoch from now()) * 1000 as bigint)`,
}

const INTEGER: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }
const TEXT: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }

/** What was deleted before is counted from here on. What a sync found missing is valid, and so not among it. */
export const keeping: Migration = {
  version: 39,
  name: '039-keeping',
  statements: engine => [
    ...['ends_from', 'notice_time'].map(
      column => `alter table "conversations" add column "${column}" ${INTEGER[engine]}`,
    ),
    `alter table "users" add column "hold_time" ${INTEGER[engine]}`,
    `alter table "users" add column "hold_reason" ${TEXT[engine]}`,
    `update "conversations" set "ends_from" = ${NOW[engine]} where "is_valid" = ${no[engine]}`,
    `update "messages" set "withdraw_time" = ${NOW[engine]} where "withdraw_time" is not null`,
    'create index "conversations_deleted" on "conversations" ("ends_from", "id") where ends_from is not null',
    'create index "messages_withdrawn" on "messages" ("withdraw_time") where withdraw_time is not null',
  ],
}
