import type { Database } from '#server/foundation/database/open.ts'
import { livingAsks } from './store.ts'

/** Abandoned asks of one query. */
const AT_ONCE = 200

/** Which process runs an ask, and until when. Queries and nothing else. */
export function leaseStore(database: Database) {
  return {
    /** Gives those that are still held. */
    renew: (holder: string, ask_ids: readonly string[], lease_until: number) =>
      database
        .updateTable('asks')
        .set({ lease_until })
        .where('holder', '=', holder)
        .where('ask_id', 'in', [...ask_ids])
        .where('end_time', 'is', null)
        .returning('ask_id')
        .execute(),

    /** Asks whose lease has expired. */
    abandoned: (now: number) =>
      livingAsks(database).selectAll().where('lease_until', '<', now).orderBy('lease_until').limit(AT_ONCE).execute(),

    /** Takes over an abandoned ask; false when another process was faster. */
    claim: async (ask_id: string, now: number, holder: string, lease_until: number) => {
      const { numUpdatedRows } = await database
        .updateTable('asks')
        .set({ holder, lease_until })
        .where('ask_id', '=', ask_id)
        .where('end_time', 'is', null)
        .where('lease_until', '<', now)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    stopRequested: (holder: string) =>
      livingAsks(database).select('ask_id').where('holder', '=', holder).where('stop_requested', '=', true).execute(),
  }
}
