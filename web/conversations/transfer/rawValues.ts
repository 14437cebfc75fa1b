/** Whatever stands in a file that somebody else has written. */
export type Raw = Readonly<Record<string, unknown>>

export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of it; an object without fields when it is none. */
export function rawAt(value: Raw, key: string): Raw {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  return isRaw(found) ? found : {}
}

export function textAt(value: Raw, key: string): string | null {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  return typeof found === 'string' ? found : null
}

/** An ISO time, or seconds since 1970 as data exports have them; 0 is none. */
export function timeAt(value: Raw, key: string): string | null {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  if (typeof found === 'string') return isoOf(Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(found) ? found : `${found}Z`))
  return typeof found === 'number' ? isoOf(Math.round(found * 1000)) : null
}

/** Beyond these years a time has another form. */
const MOST_MS = Date.UTC(9999, 0)

function isoOf(time: number): string | null {
  return Number.isFinite(time) && time > 0 && time < MOST_MS ? new Date(time).toISOString() : null
}
