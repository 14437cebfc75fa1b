import type { Insertable } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'

export function listedModelStore(database: Database) {
  return {
    listAll: () => database.selectFrom('listed_models').selectAll().execute(),

    keep: (list: Insertable<Tables['listed_models']>) =>
      database
        .insertInto('listed_models')
        .values(list)
        .onConflict(conflict =>
          conflict.column('address_digest').doUpdateSet(({ ref }) => ({
            models: ref('excluded.models'),
            read_time: ref('excluded.read_time'),
          })),
        )
        .execute(),
  }
}
