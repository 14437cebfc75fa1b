import { create } from 'zustand'
import { DEFAULT_PREFERENCES, Preferences, readPreferences, updatePreferences } from '#contract/preferences.ts'
import { changeLanguage } from '#web/i18n/useTranslate.ts'
import { call } from './call.ts'
import { readStored, readStoredObject, writeStored } from './stored.ts'

/** Entries of local storage: the language and the theme stand alone, the rest together. */
const LANGUAGE = 'language'
const THEME = 'theme'
const REST = 'preference'
/**
 * Changes not yet stored in the account; sent at the next sign-in, so that the account's older values do not undo them.
 */
const UNSENT = 'unsentPreference'

const usePreferenceStore = create<Preferences>(() => readPreferenceEntries())

export function usePreferences(): Preferences {
  return usePreferenceStore()
}

export function currentPreferences(): Preferences {
  return usePreferenceStore.getState()
}

/** Applies changes on this device at once, and stores them in the account of whoever is signed in. */
export async function changePreferences(changes: Partial<Preferences>, signedIn: boolean): Promise<void> {
  writeStored(UNSENT, JSON.stringify({ ...readStoredObject(UNSENT), ...changes }))
  await apply(changes)
  if (signedIn) await syncPreferences()
}

/** Counts what was asked of the account: an answer that a later question has overtaken is older than that one's. */
let questions = 0

/** Sends unsent changes to the account and applies what the account then has. */
export async function syncPreferences(): Promise<void> {
  const question = ++questions
  const sent = validEntriesOf(readStoredObject(UNSENT))
  const stored =
    Object.keys(sent).length > 0
      ? await call(updatePreferences, { body: sent }, { lostSession: 'throw' })
      : await call(readPreferences, {}, { lostSession: 'throw' })
  if (question !== questions) return
  // A change made meanwhile is sent by its own call.
  const later = Object.entries(validEntriesOf(readStoredObject(UNSENT))).filter(
    ([name, value]) => JSON.stringify(Reflect.get(sent, name)) !== JSON.stringify(value),
  )
  writeStored(UNSENT, later.length === 0 ? null : JSON.stringify(Object.fromEntries(later)))
  await apply({ ...stored, ...Object.fromEntries(later) })
}

/** For a device that does not remember the user: only language and theme stay. */
export function resetPreferences(): void {
  const { language, theme } = currentPreferences()
  writeStored(REST, null)
  writeStored(UNSENT, null)
  usePreferenceStore.setState({ ...DEFAULT_PREFERENCES, language, theme })
}

/** At the start, and when another tab has changed a preference. */
export async function applyStoredPreferences(): Promise<void> {
  usePreferenceStore.setState(readPreferenceEntries())
  await changeLanguage(currentPreferences().language)
}

async function apply(changes: Partial<Preferences>): Promise<void> {
  const { language, theme, ...rest } = { ...currentPreferences(), ...changes }
  writeStored(LANGUAGE, language)
  writeStored(THEME, theme)
  writeStored(REST, JSON.stringify(rest))
  usePreferenceStore.setState({ language, theme, ...rest })
  await changeLanguage(language)
}

function readPreferenceEntries(): Preferences {
  const entries = { ...readStoredObject(REST), language: readStored(LANGUAGE), theme: readStored(THEME) }
  return { ...DEFAULT_PREFERENCES, ...validEntriesOf(entries) }
}

/** Local storage is not trusted: invalid entries are dropped. */
function validEntriesOf(entries: Record<string, unknown>): Partial<Preferences> {
  const valid = Object.entries(entries).filter(
    ([name, value]) => Preferences.safeParse({ [name]: value }).success && name in DEFAULT_PREFERENCES,
  )
  return Object.fromEntries(valid)
}
