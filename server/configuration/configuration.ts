import { EventEmitter } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Configuration, ConfigurationRead, Origin, StoredSetting } from '#contract/configuration/configuration.ts'
import { type Bus, inOrder, keepUpToDate } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Engine } from '#server/foundation/database/schema/definition.ts'
import type { Database, Transaction } from '#server/foundation/database/schema/schema.ts'
import { auditSettings } from './auditing.ts'
import { type Accepted, accepted, type Changes } from './changes.ts'
import { type Conflict, conflictRefusal } from './conflictRefusal.ts'
import {
  type DelegatedSettings,
  type SettingRow,
  type Names,
  type NamesOf,
  assembled,
  type Layer,
  settingAt,
  SETTINGS,
  valueOf,
} from './settings.ts'
import type { StartConfiguration } from './start.ts'
import { versionOf } from './version.ts'

export type ConfigurationService = {
  /** The effective configuration; the same object until something changes. */
  current(): Configuration
  originOf(path: string): Origin
  /** The configuration for the form, without secrets. Without names nobody is named. */
  read(names?: Names): ConfigurationRead
  /** The ids of those who stored something, to look up their names. */
  changedBy(): number[]
  /**
   * Stores the values that differ from the effective ones, or removes what is stored; with `_version`, those that
   * differ from what was read. Refuses all when one is wrong, cannot be set here, or was changed by somebody else since
   * it was read.
   */
  store(changes: Changes, by_user_id: number, namesOf?: NamesOf): Promise<void>
  /**
   * The same in a transaction of somebody else: what would be stored, compared under a lock, then stored; `settle`
   * follows the transaction. `expected`: what was read, in place of a `_version`.
   */
  prepare(trx: Transaction, changes: Changes, expected?: Changes): Promise<PreparedSettings>
  write(trx: Transaction, prepared: PreparedSettings, by_user_id: number): Promise<void>
  settle(prepared: PreparedSettings): Promise<void>
  /** Whatever is stored from now on is checked in its transaction, too. */
  guard(check: SettingsGuard): void
  /** Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
  close(): void
}

/** Throws the refusal of a change that may not be. */
export type SettingsGuard = (trx: Transaction, change: { before: Configuration; after: Configuration }) => Promise<void>

/**
 * What is to be stored, and the configuration that is in force then. Nothing may be stored where there are conflicts.
 */
type PreparedSettings = Pick<Accepted, 'kept'> & {
  removed: string[]
  conflicts: Conflict[]
  /** Settings that have a stored value before. */
  stored: ReadonlySet<string>
  before: Configuration
  after: Configuration
}

/** Who stored a setting, and when. */
type Change = { updated_by: number | null; update_time: number }

const NOBODY: Names = new Map()

/** Origins in order of precedence, the highest last: defaults, file, stored settings, environment. */
export async function openConfiguration(
  start: StartConfiguration,
  open: OpenDatabase,
  bus: Bus,
  delegated: DelegatedSettings,
): Promise<ConfigurationService> {
  const changed = new EventEmitter().setMaxListeners(0)
  let stored: Layer = new Map()
  let storedBy: ReadonlyMap<string, Change> = new Map()
  let current = start.configuration
  const guards: SettingsGuard[] = []

  const inForce = (layer: Layer): Configuration => assembled([start.file, layer, start.environment])
  const { reload } = inOrder(async () => {
    const rows = await listAll(open.database)
    const latest = usable(rows)
    storedBy = new Map(
      rows.map(({ setting_path, update_time, updated_by }) => [setting_path, { update_time, updated_by }]),
    )
    if (isDeepStrictEqual(latest, stored)) return
    stored = latest
    current = inForce(stored)
    changed.emit('changed')
  })

  const listAll = async (database: Database): Promise<SettingRow[]> => [
    ...(await settingStore(database).listAll()),
    ...(await delegated.listAll(database)),
  ]

  await reload()
  const close = keepUpToDate({ open, bus, topic: 'configuration', what: 'the stored configuration', reload })

  const originOf = (path: string): Origin => {
    if (start.environment.has(path)) return 'environment'
    if (stored.has(path)) return 'stored'
    return start.file.has(path) ? 'file' : 'default'
  }

  async function prepare(trx: Transaction, changes: Changes, expected?: Changes): Promise<PreparedSettings> {
    await lockSettings(trx, open.engine)
    const rows = await listAll(trx)
    const layer = new Map(usable(rows))
    const before = inForce(layer)
    const { kept, reset, conflicts } = accepted(changes, {
      current: before,
      unstored: start.configuration,
      originOf,
      expected,
    })
    const removed = reset.filter(path => rows.some(({ setting_path }) => setting_path === path))
    for (const { path, value } of kept) layer.set(path, value)
    for (const path of removed) layer.delete(path)
    const setBy = new Map(rows.map(({ setting_path, updated_by }) => [setting_path, updated_by]))
    return {
      kept,
      removed,
      conflicts: conflicts.map(path => ({ path: path.split('.'), by_user_id: setBy.get(path) ?? null })),
      stored: new Set(rows.map(({ setting_path }) => setting_path)),
      before,
      after: inForce(layer),
    }
  }

  async function write(trx: Transaction, prepared: PreparedSettings, by_user_id: number): Promise<void> {
    const { kept, removed } = prepared
    for (const check of guards) await check(trx, prepared)
    const now = Date.now()
    const [keptDelegated, keptOwn] = parted(kept, ({ path }) => delegated.isKept(path))
    if (keptOwn.length > 0) await settingStore(trx).keep(keptOwn, by_user_id, now)
    if (keptDelegated.length > 0) await delegated.keep(trx, keptDelegated, by_user_id, now)
    const [removedDelegated, removedOwn] = parted(removed, delegated.isKept)
    if (removedOwn.length > 0) await settingStore(trx).remove(removedOwn)
    if (removedDelegated.length > 0) await delegated.remove(trx, removedDelegated)
    await auditSettings(trx, prepared)
  }

  async function settle({ kept, removed, conflicts }: PreparedSettings): Promise<void> {
    await reload()
    if (conflicts.length === 0 && kept.length + removed.length > 0) bus.publish('configuration')
  }

  return {
    current: () => current,
    originOf,
    read: (names = NOBODY) => ({
      ...readable(current, originOf),
      _stored: Object.fromEntries(
        [...stored.keys()].map(path => [path, storedSetting(path, start, storedBy.get(path), names)]),
      ),
      _variables: Object.fromEntries(start.variables),
    }),
    changedBy: () => [...new Set([...storedBy.values()].flatMap(({ updated_by }) => updated_by ?? []))],
    async store(changes, by_user_id, namesOf = async () => NOBODY) {
      // The comparison is inside the transaction, under a lock, so that no process changes a setting meanwhile.
      const prepared = await open.transaction(async trx => {
        const found = await prepare(trx, changes)
        if (found.conflicts.length === 0) await write(trx, found, by_user_id)
        return found
      })
      await settle(prepared)
      if (prepared.conflicts.length > 0) throw await conflictRefusal(prepared.conflicts, namesOf)
    },
    prepare,
    write,
    settle,
    guard: check => void guards.push(check),
    onChange(listener) {
      changed.on('changed', listener)
      return () => {
        changed.off('changed', listener)
      }
    },
    close,
  }
}

const parted = <T>(all: readonly T[], isOne: (each: T) => boolean): [T[], T[]] => [
  all.filter(isOne),
  all.filter(each => !isOne(each)),
]

/**
 * Stored values that are still valid. When an older version allowed more, the next lower origin applies until a new
 * value is stored.
 */
function usable(rows: readonly SettingRow[]): Layer {
  const layer = new Map<string, unknown>()
  for (const { setting_path, setting_value } of rows) {
    const setting = settingAt(setting_path)
    const parsed = setting?.startOnly ? undefined : setting?.parse(setting_value)
    if (parsed?.validationError === null) layer.set(setting_path, parsed.value)
    else
      process.emitWarning(`the stored setting ${setting_path} is not usable: ${parsed?.validationError ?? 'unknown'}`)
  }
  return layer
}

function storedSetting(
  path: string,
  start: StartConfiguration,
  change: Change | undefined,
  names: Names,
): StoredSetting {
  const setting = settingAt(path)
  return {
    changed_by: names.get(change?.updated_by ?? 0) ?? null,
    changed_at: new Date(change?.update_time ?? 0).toISOString(),
    fallback: setting === undefined ? null : valueOf(start.configuration, setting),
    fallback_origin: start.file.has(path) ? 'file' : 'default',
  }
}

function readable(
  current: Configuration,
  originOf: (path: string) => Origin,
): Pick<ConfigurationRead, '_version' | '_origins' | '_set_secrets'> {
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
 * Locks the settings for writing until the end of the transaction; reading stays possible. SQLite runs one transaction
 * at a time anyway.
 */
async function lockSettings(trx: Transaction, engine: Engine): Promise<void> {
  if (engine === 'postgresql') await sql`lock table stored_settings in share row exclusive mode`.execute(trx)
}

/** Forgets that this person stored settings. */
export const forgetWhoSet = (database: Database, user_id: number) =>
  database.updateTable('stored_settings').set({ updated_by: null }).where('updated_by', '=', user_id).execute()

function settingStore(database: Database) {
  return {
    listAll: () => database.selectFrom('stored_settings').selectAll().execute(),

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

    remove: (paths: string[]) => database.deleteFrom('stored_settings').where('setting_path', 'in', paths).execute(),
  }
}
