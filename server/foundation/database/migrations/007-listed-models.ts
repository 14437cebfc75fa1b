import { tableDefinition } from '../definition.ts'
import { json, table } from '../tables.ts'
import type { Migration } from './migration.ts'

/** As it was made then: what the table becomes later is another migration's. */
const listed_models = table({
  columns: { address_digest: { kind: 'text' }, models: json<unknown>(), read_time: { kind: 'ms' } },
  primaryKey: ['address_digest'],
})

/** What an endpoint listed when it was last reached. */
export const listedModels: Migration = {
  version: 7,
  name: '007-listed-models',
  statements: engine => tableDefinition(engine, 'listed_models', listed_models),
}
