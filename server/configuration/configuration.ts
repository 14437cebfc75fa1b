import { EventEmitter } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Configuration, ConfigurationRead, Origin } from '#contract/configuration.ts'
import { type Bus, inOrder, keepUpToDate } from '#server/foundation/bus.ts'
import type { Engine } from '#server/foundation/database/definition.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Database, Transaction } from '#server/foundation/database/schema.ts'
import { accepted, type Changes } from './changes.ts'
import { assembled, type Layer, settingAt, SETTINGS, valueOf } from './settings.ts'
import type { StartConfiguration } from './start.ts'
import { versionOf } from './version.ts'

export type ConfigurationService = {
  /** The effective configuration; the same object until something changes. */
  current(): Configuration
  originOf(path: string): Origin
  /** The configuration for the form, without secrets. */
  read(): z.infer<typeof ConfigurationRead>
  /**
   * Stores the values that differ from the effective ones; with `_version`, those that differ from what was read. Refuses all when one is
   * wrong, cannot be set here, or was changed by somebody else since it was read.
   */
  store(changes: Changes, by_user_id: number): Promise<void>
  /** Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
  close(): void
}

/** Origins in order of precedence, the highest last: defaults, file, stored settings, environment. */
export async function openConfiguration(
  start: StartConfiguration,
  open: OpenDatabase,
  bus: Bus,
): Promise<ConfigurationService> {
  const store = settingStore(open.database)
  const changed = new EventEmitter().setMaxListeners(0)
  let stored: Layer = new Map()
  let current = start.configuration

  const inForce = (layer: Layer): Configuration => assembled([start.file, layer, start.environment])
  const { reload } = inOrder(async () => {
    const latest = usable(await store.listAll())
    if (isDeepStrictEqual(latest, stored)) return
    stored = latest
    current = inForce(stored)
    changed.emit('changed')
  })

  await reload()
  const close = keepUpToDate({ open, bus, topic: 'configuration', what: 'the stored configuration', reload })

  const originOf = (path: string): Origin => {
    if (start.environment.has(path)) return 'environment'
    if (stored.has(path)) return 'stored'
    return start.file.has(path) ? 'file' : 'default'
  }

  return {
    current: () => current,
    originOf,
    read: () => readable(current, originOf),
    async store(changes, by_user_id) {
      // The comparison is inside the transaction, under a lock, so that no process changes a setting meanwhile.
      const isChanged = await open.transaction(async trx => {
        await lockSettings(trx, open.engine)
        const kept = accepted(changes, inForce(usable(await settingStore(trx).listAll())), originOf)
        if (kept.length > 0) await settingStore(trx).keep(kept, by_user_id, Date.now())
        return kept.length > 0
      })
      await reload()
      if (isChanged) bus.publish('configuration')
    },
    onChange(listener) {
      changed.on('changed', listener)
      return () => {
        changed.off('changed', listener)
      }
    },
    close,
  }
}

/** Stored values that are still valid. When an older version allowed more, the next lower origin applies until a new value is stored. */
function usable(rows: { setting_path: string; setting_value: unknown }[]): Layer {
  const layer = new Map<string, unknown>()
  for (const { setting_path, setting_value } of rows) {
    const setting = settingAt(setting_path)
    const parsed = setting?.startOnly ? undefined : setting?.parse(setting_value)
    if (parsed?.mistake === null) layer.set(setting_path, parsed.value)
    else process.emitWarning(`the stored setting ${setting_path} is not usable: ${parsed?.mistake ?? 'unknown'}`)
  }
  return layer
}

function readable(current: Configuration, originOf: (path: string) => Origin): z.infer<typeof ConfigurationRead> {
  const sections: Record<string, Record<string, unknown>> = {}
  const set: string[] = []
  for (const setting of SETTINGS) {
    const { section, key, path, secret } = setting
    const value = valueOf(current, setting)
    const values = (sections[section] ??= {})
    values[key] = secret ? '' : value
    if (secret && value !== null) set.push(path)
  }
  return {
    ...sections,
    _version: versionOf(current),
    _origins: Object.fromEntries(SETTINGS.map(({ path }) => [path, originOf(path)])),
    _set_secrets: set,
  }
}

/**
 * Locks the settings for writing until the end of the transaction; reading stays possible. SQLite runs one transaction at a time anyway.
 */
async function lockSettings(trx: Transaction, engine: Engine): Promise<void> {
  if (engine === 'postgresql') await sql`lock table stored_settings in share row exclusive mode`.execute(trx)
}

function settingStore(database: Database) {
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
