import * as z from 'zod/mini'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { DECLARED_SETTINGS, type DeclaredSetting } from '#contract/configuration/declared.ts'
import type { Database, Transaction } from '#server/foundation/database/schema/schema.ts'
import { validationErrorIn } from './rules.ts'

/** One setting as contract/configuration/ declares it. */
export type Setting = DeclaredSetting & {
  /** The type of the schema, by which a text from the environment is parsed. */
  kind: string
  parse(value: unknown): Parsed
}

type Parsed = { value: unknown; validationError: null } | { value: null; validationError: string }

/** Values of one origin, by path. */
export type Layer = ReadonlyMap<string, unknown>

// zod/mini has no error texts by default.
z.config(z.locales.en())

export const SETTINGS: readonly Setting[] = DECLARED_SETTINGS.map(declared => ({
  ...declared,
  kind: kindOf(declared.schema),
  fallback: frozen(declared.fallback),
  parse: value => parsed(declared.path, declared.schema, value),
}))

const BY_PATH = new Map(SETTINGS.map(setting => [setting.path, setting]))

export const settingAt = (path: string): Setting | undefined => BY_PATH.get(path)

export function valueOf(configuration: Configuration, { section, key }: Pick<Setting, 'section' | 'key'>): unknown {
  // Sections are plain objects; the table of settings knows which key belongs to which.
  return (configuration[section] as Record<string, unknown>)[key]
}

/** Merges the origins; later layers take precedence. */
export function assembled(layers: readonly Layer[]): Configuration {
  const sections: Record<string, Record<string, unknown>> = {}
  for (const { section, key, path, fallback } of SETTINGS) {
    const layer = layers.findLast(each => each.has(path))
    const values = (sections[section] ??= {})
    values[key] = layer === undefined ? fallback : layer.get(path)
  }
  // Every setting has a value, and each value passed its schema before it came into a layer.
  return frozen(sections) as Configuration
}

function parsed(path: string, schema: z.core.$ZodType, value: unknown): Parsed {
  const { success, data, error } = z.safeParse(schema, value)
  if (!success) return { value: null, validationError: textOf(error) }
  const validationError = validationErrorIn(path, data)
  return validationError === null ? { value: frozen(data), validationError } : { value: null, validationError }
}

/** The first error, with its path inside a list or mapping. */
function textOf({ issues: [first] }: z.core.$ZodError): string {
  if (first === undefined) return 'not allowed'
  return first.path.length === 0 ? first.message : `${first.path.join('.')}: ${first.message}`
}

function kindOf(schema: z.core.$ZodType): string {
  return schema instanceof z.ZodMiniNullable ? kindOf(schema._zod.def.innerType) : schema._zod.def.type
}

/** Freezes the configuration: it is shared by everybody, so nobody may change it. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const each of Object.values(value)) frozen(each)
  return Object.freeze(value)
}

/** Nicknames by user ids. */
export type Names = ReadonlyMap<number, string>
export type NamesOf = (user_ids: readonly number[]) => Promise<Names>

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
