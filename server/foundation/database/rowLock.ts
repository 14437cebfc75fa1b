import type { SelectQueryBuilder } from 'kysely'
import type { Engine } from './definition.ts'

/**
 * Locks the rows that are read until the end of the transaction, for `.$call(forUpdate(engine))`. SQLite has nothing to
 * lock: there, one transaction runs at a time.
 */
export function forUpdate(engine: Engine) {
  return <DB, Name extends keyof DB, Row>(
    query: SelectQueryBuilder<DB, Name, Row>,
  ): SelectQueryBuilder<DB, Name, Row> => (engine === 'postgresql' ? query.forUpdate() : query)
}
