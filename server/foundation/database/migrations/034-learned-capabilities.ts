import type { Migration } from './migration.ts'

/** What an upstream refuses of pictures and files is kept beside the length of the context that it refused for. */
export const learnedCapabilities: Migration = {
  version: 34,
  name: '034-learned-capabilities',
  statements: () => ['alter table "upstream_models" add column "learned_capabilities" text'],
}
