/** Levels of nesting inside a message: a little less than the server takes, and more than anybody means. */
const DEEPEST = 20

/** A copy that every database keeps: no NUL, no half of a surrogate pair, no key that means something to a script, not too deep. */
export function storable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEEPEST) return null
  if (Array.isArray(value)) return value.map(each => storable(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '__proto__')
      .map(([key, each]) => [storableText(key), storable(each, depth + 1)]),
  )
}

export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
