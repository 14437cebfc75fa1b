import type { Migration } from './migration.ts'

/** A stored credential says who entered it, as stored settings do. */
export const whoSetCredentials: Migration = {
  version: 12,
  name: '012-who-set-credentials',
  statements: engine => [
    `alter table "stored_credentials" add column "updated_by" ${engine === 'postgresql' ? 'bigint' : 'integer'}`,
  ],
}
