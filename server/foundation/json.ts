import { isUtf8 } from 'node:buffer'
import { storableText } from '#contract/storableText.ts'
import { invalid } from './refusal.ts'

/** Arrays and objects inside each other. Ours need six; a reader of deep ones may run out of stack. */
const MAX_DEPTH = 32

/**
 * What must be looked at value by value: an escaped character may be a NUL or half a pair, a key may be the
 * prototype's.
 */
const SUSPECT = /\\u|__proto__/

/** Parses what a client sent, its texts as they can be stored. Refuses what is not JSON or goes too deep. */
export function parseJson(text: string, loc = 'body'): unknown {
  if (goesTooDeep(text, MAX_DEPTH)) throw invalid([loc], `Nested deeper than ${MAX_DEPTH}`, 'too_deep')
  const parsed = parsedOf(text, loc)
  return SUSPECT.test(text) ? storableTexts(parsed, [loc]) : parsed
}

/**
 * The same for bytes, which must be UTF-8; but some write half of a surrogate pair as the three bytes that it would
 * have.
 */
export function parseJsonBytes(bytes: Buffer, loc = 'body'): unknown {
  if (isUtf8(bytes)) return parseJson(bytes.toString(), loc)
  const whole = Buffer.from(bytes.toString('latin1').replaceAll(HALF_IN_BYTES, REPLACEMENT_IN_BYTES), 'latin1')
  if (!isUtf8(whole)) throw invalid([loc], 'Not UTF-8', 'invalid_encoding')
  return parseJson(whole.toString(), loc)
}

/** UTF-8 has no other place for the byte ED than the beginning of a character. */
const HALF_IN_BYTES = /\xed[\xa0-\xbf][\x80-\xbf]/g
const REPLACEMENT_IN_BYTES = Buffer.from('\uFFFD').toString('latin1')

/** The same in a percent-encoded address. */
export const withoutHalves = (encoded: string): string =>
  encoded.replaceAll(/%ED%[AB][\dA-F]%[89AB][\dA-F]/gi, '%EF%BF%BD')

/** A value with all its texts as they can be stored. */
export function storableTexts(value: unknown, loc: (string | number)[]): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each, at) => storableTexts(each, [...loc, at]))
  const entries = Object.entries(value).map(([key, each]) => {
    if (key === '__proto__') throw invalid(loc, 'Holds a key that is not allowed', 'invalid_key')
    return [storableText(key), storableTexts(each, [...loc, key])]
  })
  return Object.fromEntries(entries)
}

/** For what is passed on and not stored: texts are as they came, and numbers as they were written. */
export function parseJsonAsWritten(bytes: Buffer, max_depth: number): unknown {
  if (!isUtf8(bytes)) throw invalid(['body'], 'Not UTF-8', 'invalid_encoding')
  const text = bytes.toString()
  if (goesTooDeep(text, max_depth)) throw invalid(['body'], `Nested deeper than ${max_depth}`, 'too_deep')
  return parsedOf(text, 'body', WRITTEN_OTHERWISE.test(text) ? asWritten : undefined)
}

/** What may be in a number that would be written in another way: 1.0, 1e3, -0, or more digits than a number has. */
const WRITTEN_OTHERWISE = /\d[.eE]|\d{16}|-0/

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

const asWritten: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && String(value) !== source ? rawJson(source) : value

/** The library of types does not know it yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(source: string): unknown }

function parsedOf(text: string, loc: string, reviver?: Reviver): unknown {
  try {
    return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]) // of which they do not know the context
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

function goesTooDeep(text: string, max_depth: number): boolean {
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
      if (++depth > max_depth) return true
    } else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) {
      depth--
    }
  }
  return false
}
