/**
 * The state of the form, and its pure changes. An edit is kept until it is saved or undone, whatever is fetched
 * meanwhile.
 */
import { hashKey } from '@tanstack/react-query'
import type { ConfigurationRead } from '#contract/configuration/configuration.ts'
import type { Credentials, CredentialsRead, SavedSettings } from '#contract/configuration/credentials.ts'
import { CREDENTIAL, isCredential, type Row, ROWS } from './rows.ts'

/** An unsaved change of a setting: another value, or back to the one in force when nothing is stored. */
export type Edit = { value: unknown } | 'reset'

export type Form = {
  /** The configuration as it was last fetched. */
  base: ConfigurationRead
  /** The state of the credentials; their values are never sent. */
  secrets: CredentialsRead
  edits: ReadonlyMap<string, Edit>
  /** Paths of settings that somebody else changed while they were edited here, until the person chooses. */
  conflicts: ReadonlySet<string>
  /** What the server found wrong, by path. */
  refused: ReadonlyMap<string, string>
}

export function newForm(base: ConfigurationRead, secrets: CredentialsRead): Form {
  return { base, secrets, edits: new Map(), conflicts: new Set(), refused: new Map() }
}

export const isSame = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other])

/** The saved value of a setting. A secret has none here. */
export function savedValue({ base }: Pick<Form, 'base'>, { path, key }: Pick<Row, 'path' | 'key'>): unknown {
  const [section = ''] = path.split('.')
  const values = base[section]
  // a section is an object
  return typeof values === 'object' && values !== null ? (values as Record<string, unknown>)[key] : undefined
}

/** The value that would be in force if nothing were stored. */
export function fallbackOf({ base }: Pick<Form, 'base'>, { path, fallback }: Row): unknown {
  return base._stored[path] === undefined ? fallback : base._stored[path].fallback
}

/** What the control shows. */
export function shownValue(form: Form, row: Row): unknown {
  const edit = form.edits.get(row.path)
  if (edit === undefined) return savedValue(form, row)
  return edit === 'reset' ? fallbackOf(form, row) : edit.value
}

/** An edit that equals the saved value is removed. */
export function edited(form: Form, row: Row, edit: Edit): Form {
  const isUnchanged =
    edit !== 'reset' && (isCredential(row) ? edit.value === '' : isSame(edit.value, savedValue(form, row)))
  return isUnchanged
    ? undone(form, row.path)
    : { ...without(form, row.path), edits: withEntry(form.edits, row.path, edit) }
}

/** Drops an edit; in a conflict this takes the other person's value. */
export function undone(form: Form, path: string): Form {
  const { edits, conflicts, refused } = form
  return {
    ...form,
    edits: withoutEntry(edits, path),
    conflicts: withoutPath(conflicts, path),
    refused: withoutEntry(refused, path),
  }
}

/** Settles a conflict with one's own value. */
export function keptMine(form: Form, path: string): Form {
  return { ...form, conflicts: withoutPath(form.conflicts, path) }
}

/** Takes over what others have changed. Where an edit and another person's change differ, there is a conflict. */
export function rebased(form: Form, base: ConfigurationRead, secrets: CredentialsRead): Form {
  let next: Form = { ...form, base, secrets }
  for (const row of ROWS) {
    if (!form.edits.has(row.path)) continue
    const isAsBefore = isCredential(row)
      ? changedAt(form, row.key) === changedAt(next, row.key)
      : isSame(savedValue(form, row), savedValue(next, row))
    if (isAsBefore) continue
    if (!isCredential(row) && isSame(shownValue(next, row), savedValue(next, row))) next = undone(next, row.path)
    else next = { ...next, conflicts: new Set(next.conflicts).add(row.path) }
  }
  return next
}

/** When a credential was set: shows whether somebody has set another one. */
const changedAt = ({ secrets }: Form, name: string): string | null => secrets._set[name]?.changed_at ?? null

/** The body that stores all changes, with what was seen before them. */
export function bodyToSave(form: Form): SavedSettings {
  const credentials = credentialsToSave(form)
  const names = Object.keys(credentials) as (keyof Credentials)[] // named by their rows
  if (names.length === 0) return settingsToSave(form) ?? {}
  const expected = Object.fromEntries(names.map(name => [name, changedAt(form, name)]))
  return { ...settingsToSave(form), credentials, expected }
}

/** The body that stores the changed settings; null when none is changed. */
function settingsToSave({ base, edits }: Form): Record<string, unknown> | null {
  const sections: Record<string, Record<string, unknown>> = {}
  const reset: string[] = []
  for (const [path, edit] of edits) {
    const row = ROWS.find(each => each.path === path)
    if (row === undefined || isCredential(row)) continue
    if (edit === 'reset') reset.push(path)
    else (sections[path.split('.')[0] ?? ''] ??= {})[row.key] = edit.value
  }
  if (reset.length === 0 && Object.keys(sections).length === 0) return null
  return { ...sections, _version: base._version, ...(reset.length > 0 && { _reset: reset }) }
}

/** The new credentials, by their names. */
function credentialsToSave({ edits }: Form): Record<string, string> {
  const given = [...edits].flatMap(([path, edit]) =>
    path.startsWith(CREDENTIAL) && edit !== 'reset' ? [[path.slice(CREDENTIAL.length), String(edit.value)]] : [],
  )
  return Object.fromEntries(given)
}

function without(form: Form, path: string): Form {
  return form.refused.has(path) ? { ...form, refused: withoutEntry(form.refused, path) } : form
}

function withoutPath(paths: ReadonlySet<string>, path: string): Set<string> {
  const rest = new Set(paths)
  rest.delete(path)
  return rest
}

function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): Map<string, V> {
  return new Map(map).set(key, value)
}

function withoutEntry<V>(map: ReadonlyMap<string, V>, key: string): Map<string, V> {
  const rest = new Map(map)
  rest.delete(key)
  return rest
}
