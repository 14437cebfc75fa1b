import type { Database } from '#server/foundation/database/schema.ts'

export function settingStore(database: Database) {
  return {
    listAll: () => database.selectFrom('stored_settings').select(['setting_path', 'setting_value']).execute(),

    /** Each setting by itself, so that two administrators who change different ones keep both. */
    keep: (settings: { path: string; value: unknown }[], updated_by: number, update_time: number) =>
      database.insertInto('stored_settings')
        .values(settings.map(({ path, value }) => ({ setting_path: path, setting_value: value, update_time, updated_by })))
        .onConflict(conflict => conflict.column('setting_path').doUpdateSet(({ ref }) => ({
          setting_value: ref('excluded.setting_value'), update_time, updated_by,
        })))
        .execute(),
  }
}
