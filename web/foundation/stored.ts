import type { Source } from '#contract/models.ts'

/** Local storage may be full or forbidden; the page then works as if it were empty. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // storage only saves the user some typing
  }
}

/** The names of all entries; none where storage is forbidden. */
export function storedNames(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}

export function readStoredObject(name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readStored(name) ?? '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

/** The specification, section 3, "Saved client preferences". */
const LAST_SOURCE = 'lastSelectedSource'
const LAST_MODEL = 'lastSelectedModel'
const LOGIN_FORM = 'savedLoginForm'

/** The source and the model may not exist any more. */
export type LastSelection = { source: string | null; model: string | null }

export function lastSelection(): LastSelection {
  return { source: readStored(LAST_SOURCE), model: readStored(LAST_MODEL) }
}

export function rememberSelection({ source, model }: { source: Source | null; model: string | null }): void {
  writeStored(LAST_SOURCE, source)
  writeStored(LAST_MODEL, model)
}

type SavedLogin = { rememberPassword: boolean; savedUsername: string }

export function savedLogin(): SavedLogin {
  const { rememberPassword, savedUsername } = readStoredObject(LOGIN_FORM)
  return {
    rememberPassword: rememberPassword === true,
    savedUsername: typeof savedUsername === 'string' ? savedUsername : '',
  }
}

/** The third field is part of the specified entry and always blank: passwords are for the browser's own manager. */
export function saveLogin({ rememberPassword, savedUsername }: SavedLogin): void {
  const form = { rememberPassword, savedUsername: rememberPassword ? savedUsername : '', savedPassword: '' }
  writeStored(LOGIN_FORM, JSON.stringify(form))
}

/**
 * Removes what this browser stored for a user: entries whose names end in a dot and their id, as `drafts.<tab>.7` does.
 */
export function removeEntriesOf(user_id: number): void {
  for (const name of storedNames()) if (name.endsWith(`.${user_id}`)) writeStored(name, null)
  rememberSelection({ source: null, model: null })
}
