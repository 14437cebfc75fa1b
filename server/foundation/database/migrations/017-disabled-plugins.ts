import { tableDefinition } from '../schema/definition.ts'
import { table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

/** As it was made then: what the table becomes later is another migration's. */
const disabledThen = table({
  columns: {
    upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
    plugin_id: { kind: 'text' },
  },
  primaryKey: ['upstream_id', 'plugin_id'],
})

/** A plugin that an account has may be kept from people. */
export const disabledPlugins: Migration = {
  version: 17,
  name: '017-disabled-plugins',
  statements: engine => tableDefinition(engine, 'disabled_plugins', disabledThen),
}
