import type { Language } from '#contract/preferences.ts'
import type { Messages, SlotValue, Translate, TranslateAround } from './dictionary.ts'
import { fill, fillAround, slotsOf } from './fill.ts'

export function translatorOf(language: Language, messages: Messages): Translate {
  return (key, ...[values]) => (values === undefined ? messages[key] : fill(messages[key], values, language))
}

export function translatorAroundOf(language: Language, messages: Messages): TranslateAround {
  return (key, slot, ...[values]) => fillAround(messages[key], slot, values ?? {}, language)
}

type WireValues = Readonly<Record<string, string | number | boolean | null>>

/**
 * The text of a key that came over the wire; a key nobody knows is its own text. Where the answer carries the values
 * for it, the more exact `<key>.detailed` is taken.
 */
export function translateWire(
  language: Language,
  messages: Messages,
  message: string,
  values?: WireValues | null,
): string {
  const texts: Readonly<Record<string, string>> = messages
  const known = knownValues(values ?? {})
  const detailed = textAt(texts, `${message}.detailed`)
  if (detailed !== null && slotsOf(detailed).every(slot => slot in known)) return fill(detailed, known, language)
  return fill(textAt(texts, message) ?? message, known, language)
}

function textAt(texts: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(texts, key) ? (texts[key] ?? null) : null
}

function knownValues(values: WireValues): Record<string, SlotValue> {
  const known = Object.entries(values).filter((entry): entry is [string, SlotValue] =>
    ['string', 'number'].includes(typeof entry[1]),
  )
  return Object.fromEntries(known)
}
