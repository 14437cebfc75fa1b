import { storableText } from './storableText.ts'
/** An object of a file that somebody else has written: nothing is known of its fields. */
export type Raw = Readonly<Record<string, unknown>>

export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object in a field; an empty one when it holds none. */
export function rawAt(value: Raw, key: string): Raw {
  const found = fieldOf(value, key)
  return isRaw(found) ? found : {}
}

/** The objects of the list in a field. */
export function rawsAt(value: Raw, key: string): Raw[] {
  const found = fieldOf(value, key)
  return Array.isArray(found) ? found.filter(isRaw) : []
}

/** The texts of the list in a field. */
export function textsAt(value: Raw, key: string): string[] {
  const found = fieldOf(value, key)
  return Array.isArray(found) ? found.filter(each => typeof each === 'string') : []
}

export function textAt(value: Raw, key: string): string | null {
  const found = fieldOf(value, key)
  return typeof found === 'string' ? found : null
}

/** The first of these fields that holds a text that is not blank. */
export function someTextAt(value: Raw, ...keys: string[]): string | null {
  return keys.map(key => textAt(value, key)).find(text => text !== null && text.trim() !== '') ?? null
}

/**
 * The first of these fields that holds a time: ISO, or seconds or milliseconds since 1970 as a number or digits. 0 is
 * none.
 */
export function timeAt(value: Raw, ...keys: string[]): string | null {
  return keys.map(key => timeFrom(fieldOf(value, key))).find(time => time !== null) ?? null
}

/** The texts that are not blank, as paragraphs. */
export function paragraphs(texts: readonly (string | null)[]): string {
  return texts.filter(text => text !== null && text.trim() !== '').join('\n\n')
}

/** The value of a JSON text; undefined when it is none. */
export function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function fieldOf(value: Raw, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

/** Seconds reach this number in 5138, milliseconds reached it in 1973. */
const SECONDS_BELOW = 1e11

function timeFrom(found: unknown): string | null {
  if (typeof found === 'number') return isoOf(Math.round(found < SECONDS_BELOW ? found * 1000 : found))
  if (typeof found !== 'string' || found.length > 64) return null
  const text = found.trim()
  if (/^\d+(?:\.\d+)?$/.test(text)) return timeFrom(Number(text))
  return isoOf(Date.parse(withZone(text)))
}

/** Adds UTC to a time without a zone, which would otherwise be read in the zone of this device. */
function withZone(text: string): string {
  if (!/\d:\d\d/.test(text) || /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(text)) return text
  return /[+-]\d\d$/.test(text) ? `${text}:00` : `${text}Z`
}

/** Times after this year have another form. */
const MAX_MS = Date.UTC(9999, 0)

function isoOf(time: number): string | null {
  return Number.isFinite(time) && time > 0 && time < MAX_MS ? new Date(time).toISOString() : null
}

/** Levels of nesting inside a message, a little below the server's limit. */
const MAX_DEPTH = 20

/** A copy that every database stores: its texts as they can be kept, without `__proto__` and deep nesting. */
export function storable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map(each => storable(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '__proto__')
      .map(([key, each]) => [storableText(key), storable(each, depth + 1)]),
  )
}
