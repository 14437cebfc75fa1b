import { tableDefinition } from '../schema/definition.ts'
import { table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

/** As it was made then: what the table becomes later is another migration's. */
const learnedThen = table({
  columns: {
    upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
    model_name: { kind: 'text' },
    address_digest: { kind: 'text' },
    tokens: { kind: 'int' },
    update_time: { kind: 'ms' },
  },
  primaryKey: ['upstream_id', 'model_name'],
})

/** What refusals say of the length of a model's context is kept. */
export const learnedContexts: Migration = {
  version: 25,
  name: '025-learned-contexts',
  statements: engine => tableDefinition(engine, 'learned_contexts', learnedThen),
}
