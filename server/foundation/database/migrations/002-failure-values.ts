import type { Migration } from './migration.ts'

/** The reason of a failed ask can be told later as exactly as at once. */
export const failureValues: Migration = {
  version: 2,
  name: '002-failure-values',
  statements: engine => [
    `alter table "asks" add column "failure_values" text${engine === 'postgresql' ? ' collate "C"' : ''}`,
  ],
}
