import { tableDefinition } from '../schema/definition.ts'
import { table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

/** As it was made then: what the table becomes later is another migration's. */
const coolingThen = table({
  columns: {
    upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
    model: { kind: 'text' },
    cooling_until: { kind: 'ms' },
    since: { kind: 'ms' },
    reason: { kind: 'text' },
  },
  primaryKey: ['upstream_id', 'model'],
})

/** The limit of one model leaves the other models of its account to be asked. */
export const coolingModels: Migration = {
  version: 27,
  name: '027-cooling-models',
  statements: engine => tableDefinition(engine, 'cooling_models', coolingThen),
}
