import { isUtf8 } from 'node:buffer'
import { invalid } from './refusal.ts'

/** Arrays and objects inside each other. Ours need six; a reader of deep ones may run out of stack. */
const MAX_DEPTH = 32

/** What must be looked at value by value: an escaped character may be a NUL or half a pair, a key may be the prototype's. */
const SUSPECT = /\\u|__proto__/

/** Parses what a client sent. Refuses what is not JSON, goes too deep, or holds text that no database keeps. */
export function parseJson(text: string, loc = 'body'): unknown {
  if (goesTooDeep(text)) throw invalid([loc], `Nested deeper than ${MAX_DEPTH}`, 'too_deep')
  const parsed = parsedOf(text, loc)
  if (SUSPECT.test(text)) requireStorable(parsed, [loc])
  return parsed
}

/** The same for bytes, which must be UTF-8. */
export function parseJsonBytes(bytes: Buffer, loc = 'body'): unknown {
  if (!isUtf8(bytes)) throw invalid([loc], 'Not UTF-8', 'invalid_encoding')
  return parseJson(bytes.toString(), loc)
}

/** Refuses text with a NUL or half a surrogate pair: PostgreSQL keeps neither, and both databases shall answer alike. */
export function requireStorable(value: unknown, loc: (string | number)[]): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw invalid(loc, 'Holds a character that cannot be kept', 'invalid_character')
  } else if (Array.isArray(value)) {
    value.forEach((each, at) => requireStorable(each, [...loc, at]))
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      if (key === '__proto__') throw invalid(loc, 'Holds a key that is not allowed', 'invalid_key')
      requireStorable(key, loc)
      requireStorable(each, [...loc, key])
    }
  }
}

function parsedOf(text: string, loc: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without its cause: the parser's own words quote the text, which must not reach the log.
    throw invalid([loc], 'Not JSON', 'json_invalid')
  }
}

const QUOTE = 34,
  BACKSLASH = 92,
  OPEN_ARRAY = 91,
  CLOSE_ARRAY = 93,
  OPEN_OBJECT = 123,
  CLOSE_OBJECT = 125

function goesTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (inString) {
      if (unit === BACKSLASH) at++
      else if (unit === QUOTE) inString = false
    } else if (unit === QUOTE) {
      inString = true
    } else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true
    } else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) {
      depth--
    }
  }
  return false
}
