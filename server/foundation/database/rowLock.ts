import type { SelectQueryBuilder } from 'kysely'
import type { Engine } from './definition.ts'

/**
 * Locks the selected rows until the end of the transaction: `.$call(forUpdate(engine))`. SQLite needs no lock, since it runs one transaction at a
 * time.
 */
export function forUpdate(engine: Engine) {
  return <DB, Name extends keyof DB, Row>(
    query: SelectQueryBuilder<DB, Name, Row>,
  ): SelectQueryBuilder<DB, Name, Row> => (engine === 'postgresql' ? query.forUpdate() : query)
}
