import type { Migration } from './migration.ts'

/** A sync finds the conversations that an upstream lists by what it calls them. */
export const conversationsFoundByUpstreams: Migration = {
  version: 18,
  name: '018-conversations-found-by-upstreams',
  statements: () => [
    'create index "conversations_at_upstream" on "conversations" ("upstream_conversation_id") where upstream_conversation_id is not null',
  ],
}
