import type { Engine } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

/** What is removed for good in several transactions says so first, so that the next start finishes what a kill cut short. */
export const unfinishedDeletions: Migration = {
  version: 24,
  name: '024-unfinished-deletions',
  statements: engine => [
    `alter table conversations add column vanish_time ${integer[engine]}`,
    'create index "conversations_vanishing" on "conversations" ("vanish_time") where vanish_time is not null',
    `alter table users add column erase_time ${integer[engine]}`,
  ],
}

const integer: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }
