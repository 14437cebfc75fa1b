import { create } from 'zustand'
import { DEFAULT_PREFERENCES, Preferences, readPreferences, updatePreferences } from '#contract/preferences.ts'
import { changeLanguage } from '#web/i18n/useTranslate.ts'
import { call } from './call.ts'
import { readStored, readStoredObject, writeStored } from './stored.ts'

/** Entries of local storage: the language and the theme stand alone, the rest together. */
const LANGUAGE = 'language'
const THEME = 'theme'
const REST = 'preference'
/** Chosen while signed out, to be sent at the next sign-in, so that the account's older choice does not undo them. */
const UNSENT = 'unsentPreference'

const usePreferenceStore = create<Preferences>(() => readKept())

export function usePreferences(): Preferences {
  return usePreferenceStore()
}

export function currentPreferences(): Preferences {
  return usePreferenceStore.getState()
}

/** Takes effect at once on this device; with an account also on the others. */
export async function changePreferences(changes: Partial<Preferences>, signedIn: boolean): Promise<void> {
  writeStored(UNSENT, JSON.stringify({ ...readStoredObject(UNSENT), ...changes }))
  await apply(changes)
  if (signedIn) await syncPreferences()
}

/** After signing in: what was chosen here goes to the account, and the account's choices come here. */
export async function syncPreferences(): Promise<void> {
  const sent = partOf(readStoredObject(UNSENT))
  const kept =
    Object.keys(sent).length > 0
      ? await call(updatePreferences, { body: sent }, { lostSession: 'throw' })
      : await call(readPreferences, {}, { lostSession: 'throw' })
  // What was chosen while the answer was on its way has its own call under way, and stays.
  const later = Object.entries(partOf(readStoredObject(UNSENT))).filter(
    ([name, value]) => !Object.is(Reflect.get(sent, name), value),
  )
  writeStored(UNSENT, later.length === 0 ? null : JSON.stringify(Object.fromEntries(later)))
  await apply({ ...kept, ...Object.fromEntries(later) })
}

/** On a device that is not to remember who was here. The page stays in the language and the light in which it was left. */
export function forgetPreferences(): void {
  const { language, theme } = currentPreferences()
  writeStored(REST, null)
  writeStored(UNSENT, null)
  usePreferenceStore.setState({ ...DEFAULT_PREFERENCES, language, theme })
}

/** At the start, and when another tab has changed something. */
export async function followKeptPreferences(): Promise<void> {
  usePreferenceStore.setState(readKept())
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

function readKept(): Preferences {
  const kept = { ...readStoredObject(REST), language: readStored(LANGUAGE), theme: readStored(THEME) }
  return { ...DEFAULT_PREFERENCES, ...partOf(kept) }
}

/** The entries that are valid; somebody may have written anything. */
function partOf(kept: Record<string, unknown>): Partial<Preferences> {
  const valid = Object.entries(kept).filter(
    ([name, value]) => Preferences.safeParse({ [name]: value }).success && name in DEFAULT_PREFERENCES,
  )
  return Object.fromEntries(valid)
}
