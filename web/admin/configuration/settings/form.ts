/** The settings and credentials as the fields of a form, and what is sent of them. */
import type { ConfigurationRead } from '#contract/configuration/configuration.ts'
import type { CredentialsRead, SavedSettings } from '#contract/configuration/credentials.ts'
import { DECLARED_SETTINGS } from '#contract/configuration/declared.ts'
import { calendarDay } from '#web/admin/shell/times.ts'
import { type Changes, isEqual } from '#web/admin/form/useChanges.ts'
import { CREDENTIAL, isCredential, type Row, ROWS } from './rows.ts'

/** The values by the paths of their rows; of a credential, which is never read, when it was set. */
export type Fields = Readonly<Record<string, unknown>>

export type SettingsForm = Changes<Fields> & { base: ConfigurationRead; secrets: CredentialsRead }

export type Edited = Pick<SettingsForm, 'base' | 'values' | 'isChanged'>

/** In place of a value: back to the one that is in force when nothing is stored. */
export const RESET = { reset: true } as const

export const fieldsOf = (base: ConfigurationRead, { _set }: CredentialsRead): Fields =>
  Object.fromEntries(
    ROWS.map(row => [row.path, isCredential(row) ? (_set[row.key]?.changed_at ?? null) : savedValue({ base }, row)]),
  )

/** Whether a change changes nothing: a reset of what is not stored, and the same value. */
export const isSameSetting = (base: ConfigurationRead | undefined, mine: unknown, stored: unknown, path: string) =>
  mine === RESET ? base?._stored[path] === undefined : isEqual(mine, stored)

/** The saved value of a setting. A secret has none here. */
export function savedValue({ base }: Pick<SettingsForm, 'base'>, { path, key }: Pick<Row, 'path' | 'key'>): unknown {
  const [section = ''] = path.split('.')
  return Reflect.get(Object(base[section]), key)
}

/** The value that would be in force if nothing were stored. */
export function fallbackOf({ base }: Pick<SettingsForm, 'base'>, { path, fallback }: Row): unknown {
  return base._stored[path] === undefined ? fallback : base._stored[path].fallback
}

/** What the control shows. */
export function shownValue(form: Edited, row: Row): unknown {
  if (isCredential(row) && !form.isChanged(row.path)) return ''
  const value = form.values[row.path]
  return value === RESET ? fallbackOf(form, row) : value
}

/** The body that stores the changes, with what was seen before them. */
export function bodyToSave(changed: Fields, expected: Fields): SavedSettings {
  const values = Object.entries(changed).filter(([, value]) => value !== RESET)
  const reset = Object.keys(changed).filter(path => changed[path] === RESET)
  return {
    ...inSections(Object.fromEntries(values)),
    ...(reset.length > 0 && { _reset: reset }),
    expected: inSections(expected),
  }
}

/** Each in the section that its path begins with, the credentials in one of their own. */
function inSections(fields: Fields): Record<string, Record<string, unknown>> {
  const sections: Record<string, Record<string, unknown>> = {}
  for (const [path, value] of Object.entries(fields)) {
    const [section = '', key = ''] = path.split('.')
    ;(sections[section] ??= {})[key] = value
  }
  return sections
}

/** The texts of what the server refused, by the paths of their rows. */
export function refusedRows(detail: readonly { loc: (string | number)[]; msg: string }[]): Record<string, string> {
  const known = new Set(ROWS.map(({ path }) => path))
  const found = detail.map(({ loc: [, ...path], msg }) => [path.slice(0, 2).join('.'), msg] as const)
  return Object.fromEntries(
    found
      .map(([path, msg]) => [known.has(path) ? path : `${CREDENTIAL}${path}`, msg] as const)
      .filter(([path]) => known.has(path)),
  )
}

/** The values in force as a file that can serve as config.json; secrets are left out. */
export function exportedSettings(read: ConfigurationRead): Blob {
  const sections: Record<string, Record<string, unknown>> = {}
  for (const { section, key, secret } of DECLARED_SETTINGS) {
    const values = read[section]
    if (secret === true || typeof values !== 'object' || values === null) continue
    ;(sections[section] ??= {})[key] = (values as Record<string, unknown>)[key] // a section is an object
  }
  return new Blob([`${JSON.stringify(sections, null, 2)}\n`], { type: 'application/json' })
}

export function exportName(now: Date): string {
  return `chat-commons-settings-${calendarDay(now)}.json`
}
