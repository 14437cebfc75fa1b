import type { Database } from '#server/foundation/database/open.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'

export type PriceRow = RowOf<typeof tables.model_prices>

/** Rows of one statement, well below the limit of parameters of either database. */
const BATCH = 100

/** What models cost from when on. Queries and nothing else. Takes a transaction as well as the database. */
export function priceStore(database: Database) {
  return {
    /** All that ever held, the earliest first. */
    list: () => database.selectFrom('model_prices').selectAll().orderBy('from_time').orderBy('id').execute(),

    listOf: (upstream_id: number) =>
      database
        .selectFrom('model_prices')
        .selectAll()
        .where('upstream_id', '=', upstream_id)
        .orderBy('from_time')
        .orderBy('id')
        .execute(),

    async add(rows: readonly Omit<PriceRow, 'id'>[]): Promise<void> {
      for (let at = 0; at < rows.length; at += BATCH)
        await database
          .insertInto('model_prices')
          .values(rows.slice(at, at + BATCH))
          .execute()
    },
  }
}
