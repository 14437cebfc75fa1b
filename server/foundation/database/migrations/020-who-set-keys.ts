import type { Migration } from './migration.ts'

/** The key of a further upstream says who entered it and when, as stored credentials do. */
export const whoSetKeys: Migration = {
  version: 20,
  name: '020-who-set-keys',
  statements: engine =>
    ['secret_by', 'secret_time'].map(
      name => `alter table "upstreams" add column "${name}" ${engine === 'postgresql' ? 'bigint' : 'integer'}`,
    ),
}
