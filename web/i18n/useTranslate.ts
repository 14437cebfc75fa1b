import { useMemo } from 'react'
import { create } from 'zustand'
import { DEFAULT_LANGUAGE, type Language } from '#contract/preferences.ts'
import type { RefusalValues } from '#contract/refusals.ts'
import type { Area, MessageKey, Messages, SlotValue, Translate, TranslateAround } from './dictionary.ts'
import { fill, fillAround, slotsOf } from './fill.ts'
import { LANGUAGE_ENTRIES } from './languages.ts'
import { zhCN } from './zh-CN.ts'

type Current = {
  language: Language
  messages: Messages
  /** The areas whose texts are among them. */
  areas: readonly Area[]
  /** The language and the areas whose texts may still be loading. */
  wanted: Language
  wantedAreas: readonly Area[]
}

export const useCurrent = create<Current>(() => ({
  language: DEFAULT_LANGUAGE,
  messages: zhCN,
  areas: [],
  wanted: DEFAULT_LANGUAGE,
  wantedAreas: [],
}))

/** Loads the texts, then switches the whole page at once. The last call wins, in whichever order the chunks arrive. */
export async function changeLanguage(language: Language): Promise<void> {
  want({ wanted: language })
  const entry = LANGUAGE_ENTRIES[language]
  const { wantedAreas } = useCurrent.getState()
  const [first, ...further] = await Promise.all([entry.load(), ...wantedAreas.map(area => entry.areas[area]())])
  if (useCurrent.getState().wanted !== language) return
  // Setting it recalculates all styles, even when the value is the same.
  if (document.documentElement.lang !== language) document.documentElement.lang = language
  useCurrent.setState(current => {
    const isSame = current.language === language
    // What another call has loaded of the same language stays, unless it is not wanted any more.
    const areas = current.wantedAreas.filter(
      area => wantedAreas.includes(area) || (isSame && current.areas.includes(area)),
    )
    if (isSame && areas.join() === current.areas.join()) return current
    const kept = areas.every(area => wantedAreas.includes(area)) ? null : current.messages
    // What was wanted when this call began may not be wanted any more.
    const wanted = further.filter((_, at) => areas.some(area => area === wantedAreas[at]))
    const messages = [...wanted, kept].reduce<Messages>((all, texts) => ({ ...all, ...texts }), first)
    return { language, messages, areas }
  })
}

/** Loads the texts of an area, now and with every later change of the language. */
export async function loadTexts(area: Area): Promise<void> {
  const { areas, wanted, wantedAreas, language } = useCurrent.getState()
  if (areas.includes(area) && wanted === language) return
  want({ wantedAreas: [...new Set([...wantedAreas, area])].toSorted(administratorsLast) })
  await changeLanguage(wanted)
}

/** Of a key that several have, the text of the last one is shown. */
const administratorsLast = (one: Area, other: Area) => Number(one === 'admin') - Number(other === 'admin')

export const loadAdminTexts = (): Promise<void> => loadTexts('admin')

/** Without the texts of administrators again. */
export async function dropAdminTexts(): Promise<void> {
  want({ wantedAreas: useCurrent.getState().wantedAreas.filter(area => area !== 'admin') })
  await changeLanguage(useCurrent.getState().wanted)
}

/** A state that is set renders the whole page again, and this is called for whatever another tab has stored. */
function want(wishes: Partial<Pick<Current, 'wanted' | 'wantedAreas'>>): void {
  useCurrent.setState(current => {
    const next = { ...current, ...wishes }
    return next.wanted === current.wanted && next.wantedAreas.join() === current.wantedAreas.join() ? current : next
  })
}

export function useTranslate(): Translate {
  const { language, messages } = useCurrent()
  return useMemo(() => translatorOf(language, messages), [language, messages])
}

export function useTranslateAround(): TranslateAround {
  const { language, messages } = useCurrent()
  return useMemo(() => translatorAroundOf(language, messages), [language, messages])
}

export function useLanguage(): Language {
  return useCurrent(({ language }) => language)
}

/** Outside of components, such as for a file. */
export function currentLanguage(): Language {
  return useCurrent.getState().language
}

/** Outside of components, such as for toasts and titles. */
export const translate: Translate = (key, ...values) => {
  const { language, messages } = useCurrent.getState()
  return translatorOf(language, messages)(key, ...values)
}

/** The text of a key from the wire, such as `errors.queueFull`; an unknown key is its own text. */
export function translateMessage(message: string, values?: RefusalValues | null): string {
  const { language, messages } = useCurrent.getState()
  return translateWire(language, messages, message, values)
}

/** The same for components, so that the text changes with the language. */
export function useTranslateMessage(): typeof translateMessage {
  const { language, messages } = useCurrent()
  return useMemo(() => (message, values) => translateWire(language, messages, message, values), [language, messages])
}

export function translatorOf(language: Language, messages: Messages): Translate {
  return (key, ...[values]) => {
    const text = textOf(messages, key)
    return values === undefined ? text : fill(text, values, language)
  }
}

function translatorAroundOf(language: Language, messages: Messages): TranslateAround {
  return (key, slot, ...[values]) => fillAround(textOf(messages, key), slot, values ?? {}, language)
}

/** A text that is not loaded is its key: nothing of an area shows before its texts are there. */
function textOf(messages: Messages, key: MessageKey): string {
  return messages[key] ?? key
}

/**
 * Further texts of a key from the wire, for when the values that they have slots for were sent too: the one that says
 * most first.
 */
const VARIANTS = ['ofModel', 'until', 'overHeaviest', 'heaviest', 'over', 'detailed'] as const

/**
 * The text of a key from the wire: a variant of it, such as `<key>.detailed`, where there is one that fits. An unknown
 * key is its own text.
 */
export function translateWire(
  language: Language,
  messages: Messages,
  message: string,
  values?: RefusalValues | null,
): string {
  const texts: Readonly<Record<string, string>> = messages
  const known = knownValues(values ?? {})
  for (const variant of VARIANTS) {
    const text = variant === 'ofModel' && values?.['of_model'] !== true ? null : textAt(texts, `${message}.${variant}`)
    if (text !== null && slotsOf(text).every(slot => slot in known)) return fill(text, known, language)
  }
  return fill(textAt(texts, message) ?? message, known, language)
}

function textAt(texts: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(texts, key) ? (texts[key] ?? null) : null
}

function knownValues(values: RefusalValues): Record<string, SlotValue> {
  const known = Object.entries(values).filter((entry): entry is [string, SlotValue] =>
    ['string', 'number'].includes(typeof entry[1]),
  )
  return Object.fromEntries(known)
}
