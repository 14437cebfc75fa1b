import { sql } from 'kysely'
import type { Engine } from '#server/foundation/database/definition.ts'
import type { Database, Transaction } from '#server/foundation/database/schema.ts'

/**
 * Locks the settings for writing until the end of the transaction; reading stays possible. SQLite runs one transaction at a time anyway.
 */
export async function lockSettings(trx: Transaction, engine: Engine): Promise<void> {
  if (engine === 'postgresql') await sql`lock table stored_settings in share row exclusive mode`.execute(trx)
}

export function settingStore(database: Database) {
  return {
    listAll: () => database.selectFrom('stored_settings').select(['setting_path', 'setting_value']).execute(),

    /** One row per setting, so that two administrators who change different settings keep both changes. */
    keep: (settings: { path: string; value: unknown }[], updated_by: number, update_time: number) =>
      database
        .insertInto('stored_settings')
        .values(
          settings.map(({ path, value }) => ({ setting_path: path, setting_value: value, update_time, updated_by })),
        )
        .onConflict(conflict =>
          conflict.column('setting_path').doUpdateSet(({ ref }) => ({
            setting_value: ref('excluded.setting_value'),
            update_time,
            updated_by,
          })),
        )
        .execute(),
  }
}
