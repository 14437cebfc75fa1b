import type { Database } from '#server/foundation/database/open.ts'

/** Queries about all asks of a person, for exporting and erasing them. Queries and nothing else. */
export function personAskStore(database: Database) {
  const own = (user_id: number) => database.selectFrom('asks').where('user_id', '=', user_id)
  return {
    logAfter: (user_id: number, id: number, limit: number) =>
      database
        .selectFrom('ask_logs')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** The records of the asks, and what had come of answers that are not stored. */
    async removeAll(user_id: number): Promise<number> {
      await database.deleteFrom('ask_chunks').where('ask_id', 'in', own(user_id).select('ask_id')).execute()
      const { numDeletedRows } = await database
        .deleteFrom('asks')
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}
