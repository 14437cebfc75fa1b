import { useMemo } from 'react'
import { create } from 'zustand'
import { DEFAULT_LANGUAGE } from '#contract/preferences.ts'
import type { Language } from '#contract/preferences.ts'
import type { RefusalValues } from '#contract/refusals.ts'
import type { Messages, Translate, TranslateAround } from './dictionary.ts'
import { LANGUAGE_ENTRIES } from './languages.ts'
import { translateWire, translatorAroundOf, translatorOf } from './translate.ts'
import { zhCN } from './zh-CN.ts'

type Spoken = { language: Language; messages: Messages }

const useSpoken = create<Spoken>(() => ({ language: DEFAULT_LANGUAGE, messages: zhCN }))
let wanted: Language = DEFAULT_LANGUAGE

/** Loads the texts and then switches the whole page at once. The last call wins, whichever chunk comes first. */
export async function speak(language: Language): Promise<void> {
  wanted = language
  const messages = await LANGUAGE_ENTRIES[language].load()
  if (wanted !== language) return
  // Setting it gives the whole page its styles anew, even to what it is.
  if (document.documentElement.lang !== language) document.documentElement.lang = language
  useSpoken.setState({ language, messages })
}

export function useTranslate(): Translate {
  const { language, messages } = useSpoken()
  return useMemo(() => translatorOf(language, messages), [language, messages])
}

export function useTranslateAround(): TranslateAround {
  const { language, messages } = useSpoken()
  return useMemo(() => translatorAroundOf(language, messages), [language, messages])
}

export function useLanguage(): Language {
  return useSpoken(({ language }) => language)
}

/** For what is made outside of components, such as a file. */
export function spokenLanguage(): Language {
  return useSpoken.getState().language
}

/** For toasts and titles, which are made outside of components. */
export const translate: Translate = (key, ...values) => {
  const { language, messages } = useSpoken.getState()
  return translatorOf(language, messages)(key, ...values)
}

/** The text of a key that came over the wire, such as `errors.queueFull`; one nobody knows is shown as it is. */
export function translateMessage(message: string, values?: RefusalValues | null): string {
  const { language, messages } = useSpoken.getState()
  return translateWire(language, messages, message, values)
}

/** The same inside components, so that the text changes with the language. */
export function useTranslateMessage(): typeof translateMessage {
  const { language, messages } = useSpoken()
  return useMemo(() => (message, values) => translateWire(language, messages, message, values), [language, messages])
}
