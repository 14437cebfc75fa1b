import type { Database } from '#server/foundation/database/open.ts'

/** The plugins that are installed at an account and that people may not choose. Queries and nothing else. */
export function disabledPluginStore(database: Database) {
  return {
    async of(upstream_ids: readonly number[]): Promise<{ upstream_id: number; plugin_id: string }[]> {
      if (upstream_ids.length === 0) return []
      return database
        .selectFrom('disabled_plugins')
        .select(['upstream_id', 'plugin_id'])
        .where('upstream_id', 'in', [...upstream_ids])
        .execute()
    },

    async disable(upstream_id: number, plugin_id: string): Promise<void> {
      await database
        .insertInto('disabled_plugins')
        .values({ upstream_id, plugin_id })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    },

    async enable(upstream_id: number, plugin_id: string): Promise<void> {
      await database
        .deleteFrom('disabled_plugins')
        .where('upstream_id', '=', upstream_id)
        .where('plugin_id', '=', plugin_id)
        .execute()
    },
  }
}
