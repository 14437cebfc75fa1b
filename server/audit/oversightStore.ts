import type { Insertable } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { auditTables } from '#server/foundation/database/schema/audit.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'

export type OversightRecord = RowOf<typeof auditTables.oversight>

/** Queries and nothing else. Takes a transaction as well as the database. */
export function oversightStore(database: Database) {
  const all = database.selectFrom('oversight')
  return {
    insert: (row: Insertable<Tables['oversight']>) =>
      database.insertInto('oversight').values(row).returningAll().executeTakeFirstOrThrow(),

    /** What this administrator may read of the conversation now. */
    opened: (conversation_id: string, viewer_id: number, now: number) =>
      all
        .selectAll()
        .where('conversation_id', '=', conversation_id)
        .where('viewer_id', '=', viewer_id)
        .where('until_time', '>', now)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),

    /** What the administrator may read of the conversation, or of any of its owner's, now. */
    openedOf: (
      { conversation_id, owner_id }: { conversation_id: string | null; owner_id: number | null },
      viewer_id: number,
      now: number,
    ) =>
      all
        .selectAll()
        .where(({ or, eb }) =>
          or([
            eb('conversation_id', '=', conversation_id ?? ''),
            ...(owner_id === null ? [] : [eb('owner_id', '=', owner_id)]),
          ]),
        )
        .where('viewer_id', '=', viewer_id)
        .where('until_time', '>', now)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),

    async read(id: number, latest_read_time: number): Promise<void> {
      await database.updateTable('oversight').set({ latest_read_time }).where('id', '=', id).execute()
    },

    page: ({ limit, offset }: { limit: number; offset: number }) =>
      all.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    count: async () =>
      (await all.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count,

    ofOwner: (owner_id: number, limit: number) =>
      all.selectAll().where('owner_id', '=', owner_id).orderBy('id', 'desc').limit(limit).execute(),

    notice: (owner_id: number) =>
      database
        .updateTable('oversight')
        .set({ is_noticed: true })
        .where('owner_id', '=', owner_id)
        .where('is_noticed', '=', false)
        .execute(),

    async removeBefore(time: number): Promise<number> {
      const { numDeletedRows } = await database
        .deleteFrom('oversight')
        .where('open_time', '<', time)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}
