import { Source } from '#contract/models.ts'
import { readStored, readStoredObject, storedNames, writeStored } from './stored.ts'

/** The specification, section 3, "Saved client preferences": what belongs to this device alone. */
const LAST_SOURCE = 'lastSelectedSource'
const LAST_MODEL = 'lastSelectedModel'
const LOGIN_FORM = 'savedLoginForm'

export type Selection = { source: Source | null; model: string | null }

export function lastSelection(): Selection {
  return { source: Source.safeParse(readStored(LAST_SOURCE)).data ?? null, model: readStored(LAST_MODEL) }
}

export function rememberSelection({ source, model }: Selection): void {
  writeStored(LAST_SOURCE, source)
  writeStored(LAST_MODEL, model)
}

export type SavedLogin = { rememberPassword: boolean; savedUsername: string }

export function savedLogin(): SavedLogin {
  const { rememberPassword, savedUsername } = readStoredObject(LOGIN_FORM)
  return {
    rememberPassword: rememberPassword === true,
    savedUsername: typeof savedUsername === 'string' ? savedUsername : '',
  }
}

/** The name of the third field is kept for what reads this entry; a password is never in it: the browser's own manager keeps those. */
export function saveLogin({ rememberPassword, savedUsername }: SavedLogin): void {
  const kept = { rememberPassword, savedUsername: rememberPassword ? savedUsername : '', savedPassword: '' }
  writeStored(LOGIN_FORM, JSON.stringify(kept))
}

/** What was written and chosen here. Entries that belong to one person end in a dot and their id, as `drafts.<tab>.7` does. */
export function forgetPerson(user_id: number): void {
  for (const name of storedNames()) if (name.endsWith(`.${user_id}`)) writeStored(name, null)
  rememberSelection({ source: null, model: null })
}
