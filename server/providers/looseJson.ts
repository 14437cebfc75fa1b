export type Fields = Readonly<Record<string, unknown>>

/** Characters of a text that is looked through before it is parsed. */
export const LONG_JSON = 128 * 1024
/** Values in a long text. One that is nothing but brackets takes a hundred times as long to parse as one of words. */
const MAX_VALUES = 200_000

/** `undefined` for what is not JSON, or has more values in it than an answer has. */
export function parsed(text: string): unknown {
  if (text.length >= LONG_JSON && hasMoreValues(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Counts what begins or parts values, outside of strings. */
function hasMoreValues(text: string): boolean {
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      if (at < 0) return false
    } else if ((code === COMMA || code === BRACKET || code === BRACE) && (values += 1) > MAX_VALUES) return true
  }
  return false
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** Where a string that begins here ends; -1 where it does not. */
export function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
    if ((at - first) % 2 === 0) return at
  }
  return -1
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field of an object; undefined for anything that is not an object. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** Characters of a JSON document within a string that is looked into. */
const MAX_WITHIN = 20_000

/**
 * What a string says that is a JSON document itself, as gateways pass on the error of somebody else; anything else as
 * it is.
 */
export function unfolded(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > MAX_WITHIN || !/^\s*[[{]/.test(value)) return value
  return parsed(value) ?? value
}
