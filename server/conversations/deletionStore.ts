import type { Insertable } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'

/** Conversations that were hidden together. Queries and nothing else. Takes a transaction as well as the database. */
export function deletionStore(database: Database) {
  return {
    insert: (row: Insertable<Tables['deletions']>) =>
      database.insertInto('deletions').values(row).returning('id').executeTakeFirstOrThrow(),

    find: (id: number) => database.selectFrom('deletions').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Those of which something is hidden still, the latest first, and how much. */
    latest: (limit: number) =>
      database
        .selectFrom('deletions')
        .innerJoin(
          database
            .selectFrom('conversations')
            .select(({ fn }) => ['deletion_id', fn.countAll<number>().as('hidden')])
            .where('deletion_id', 'is not', null)
            .groupBy('deletion_id')
            .as('left'),
          'left.deletion_id',
          'deletions.id',
        )
        .selectAll('deletions')
        .select('left.hidden')
        .orderBy('deletions.id', 'desc')
        .limit(limit)
        .execute(),
  }
}
