import type { Database, Transaction } from '#server/foundation/database/schema/schema.ts'

/** A setting as it is stored. */
export type SettingRow = {
  setting_path: string
  setting_value: unknown
  update_time: number
  updated_by: number | null
}

/**
 * Settings that are stored with what they are about, and not among the settings. Who writes them holds the lock of all
 * settings.
 */
export type DelegatedSettings = {
  isKept(path: string): boolean
  listAll(database: Database): Promise<SettingRow[]>
  keep(trx: Transaction, settings: { path: string; value: unknown }[], by: number | null, time: number): Promise<void>
  remove(trx: Transaction, paths: string[]): Promise<void>
}
