import { TYPES } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

/** What tells that a tool asks the same once more, and which requests run beside a question. */
export const requestsOfTools: Migration = {
  version: 58,
  name: '058-requests-of-tools',
  statements: engine => {
    const { text, bool } = TYPES[engine]
    return [
      `alter table "asks" add column "request_digest" ${text}`,
      `alter table "asks" add column "is_beside" ${bool} not null default ${engine === 'sqlite' ? '0' : 'false'}`,
      'create index "asks_tries" on "asks" ("request_digest") where request_digest is not null',
    ]
  },
}
