/** Whatever stands in a file that somebody else has written. */
export type Raw = Readonly<Record<string, unknown>>

export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of it; an object without fields when it is none. */
export function rawAt(value: Raw, key: string): Raw {
  const found = fieldOf(value, key)
  return isRaw(found) ? found : {}
}

/** The objects of a list; none when it is no list. */
export function rawsAt(value: Raw, key: string): Raw[] {
  const found = fieldOf(value, key)
  return Array.isArray(found) ? found.filter(isRaw) : []
}

export function textAt(value: Raw, key: string): string | null {
  const found = fieldOf(value, key)
  return typeof found === 'string' ? found : null
}

/** The first of these fields that holds a text with something in it. */
export function someTextAt(value: Raw, ...keys: string[]): string | null {
  return keys.map(key => textAt(value, key)).find(text => text !== null && text.trim() !== '') ?? null
}

/** The first of these fields that is a time: ISO, or seconds or milliseconds since 1970, as a number or as its digits; 0 is none. */
export function timeAt(value: Raw, ...keys: string[]): string | null {
  return keys.map(key => timeFrom(fieldOf(value, key))).find(time => time !== null) ?? null
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

/** A time of the day without a zone is of UTC, not of wherever the file is read. */
function withZone(text: string): string {
  if (!/\d:\d\d/.test(text) || /(?:Z|UTC|GMT)$/i.test(text)) return text
  const hours = /[+-]\d\d$/.test(text)
  if (hours) return `${text}:00`
  return /[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`
}

/** Beyond these years a time has another form. */
const MOST_MS = Date.UTC(9999, 0)

function isoOf(time: number): string | null {
  return Number.isFinite(time) && time > 0 && time < MOST_MS ? new Date(time).toISOString() : null
}
