import type { Engine } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

const INTEGER: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }
const TEXT: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }

/** People may ask that a conversation stays that would go for its age. */
export const keepRequests: Migration = {
  version: 51,
  name: '051-keep-requests',
  statements: engine => [
    `alter table "conversations" add column "keep_state" ${TEXT[engine]}`,
    `alter table "conversations" add column "keep_time" ${INTEGER[engine]}`,
    `create index "conversations_keep_asked" on "conversations" ("keep_time") where keep_state = 'asked'`,
  ],
}
