import { DEFAULT_PREFERENCES, Preferences } from '#contract/preferences.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { forUpdate } from '#server/foundation/database/rowLock.ts'

/** What people chose for themselves, the same on all their devices. */
export function openPreferences({ open, clock }: { open: OpenDatabase; clock: Clock }) {
  const stored = (database: Database, user_id: number) =>
    database.selectFrom('user_preferences').select('preferences').where('user_id', '=', user_id)

  return {
    async read(user_id: number): Promise<Preferences> {
      return preferencesOf((await stored(open.database, user_id).executeTakeFirst())?.preferences)
    },

    async update(user_id: number, changes: Partial<Preferences>): Promise<Preferences> {
      return open.transaction(async trx => {
        const update_time = clock.now()
        // The row is inserted before it is read and locked: otherwise two devices could both find none, and one would lose its change.
        await trx
          .insertInto('user_preferences')
          .values({ user_id, preferences: {}, update_time })
          .onConflict(conflict => conflict.column('user_id').doNothing())
          .execute()
        const before = await stored(trx, user_id).$call(forUpdate(open.engine)).executeTakeFirst()
        const preferences = { ...preferencesOf(before?.preferences), ...changes }
        await trx
          .updateTable('user_preferences')
          .set({ preferences, update_time })
          .where('user_id', '=', user_id)
          .execute()
        return preferences
      })
    },
  }
}

/** A value that this version does not know is replaced by the default. */
function preferencesOf(stored: Record<string, unknown> = {}): Preferences {
  const whole = Preferences.safeParse(stored)
  return whole.success ? whole.data : DEFAULT_PREFERENCES
}
