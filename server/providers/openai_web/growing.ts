import { isDeepStrictEqual } from 'node:util'
import { type Fields, isFields } from '../looseJson.ts'
import { storableText } from './storable.ts'

/** Where the text of each type of content stands; in `parts` it is the last one. Other types do not grow: they change as a whole. */
const TEXT_IN: Readonly<Record<string, string>> = {
  text: 'parts',
  multimodal_text: 'parts',
  code: 'text',
  execution_output: 'text',
  stderr: 'text',
  system_error: 'text',
  tether_quote: 'text',
  tether_browsing_display: 'result',
}

/** The text of a content that is appended to while it grows: storable, and never ending within a character. */
export const growingText = (content: unknown): string => wholeCharacters(rawText(content))

/** A text that may have been cut anywhere, without the half of a pair of surrogates at its end; storable. */
export function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return storableText(last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text)
}

function rawText(content: unknown): string {
  if (!isFields(content)) return ''
  const field = content[textField(content)]
  const text: unknown = Array.isArray(field) ? field.at(-1) : field
  return typeof text === 'string' ? text : ''
}

const textField = ({ content_type }: Fields): string =>
  typeof content_type === 'string' && Object.hasOwn(TEXT_IN, content_type) ? (TEXT_IN[content_type] ?? '') : ''

/** The content with another growing text; as it is where it has none. */
export function withGrowingText(content: unknown, text: string): unknown {
  if (!isFields(content)) return content
  const name = textField(content)
  const field = content[name]
  if (typeof field === 'string') return { ...content, [name]: text }
  return Array.isArray(field) && typeof field.at(-1) === 'string'
    ? { ...content, [name]: [...field.slice(0, -1), text] }
    : content
}

/** Whether two contents differ in nothing but their growing text. */
export function isSameBesideText(a: unknown, b: unknown): boolean {
  if (!isFields(a) || !isFields(b)) return isDeepStrictEqual(a, b)
  const name = textField(a)
  if (a['content_type'] !== b['content_type'] || name === '') return isDeepStrictEqual(a, b)
  for (const key of Object.keys({ ...a, ...b }))
    if (key === name ? !hasSameShape(a[key], b[key]) : !isDeepStrictEqual(a[key], b[key])) return false
  return true
}

function hasSameShape(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return typeof a === typeof b
  if (a.length !== b.length || typeof a.at(-1) !== typeof b.at(-1)) return false
  const beside = typeof a.at(-1) === 'string' ? a.length - 1 : a.length
  return a.every((part, at) => at >= beside || isDeepStrictEqual(part, b[at]))
}

/** Whether nothing is said differently about two states of a message, its content aside. */
export function isSaidTheSame(a: Fields, b: Fields): boolean {
  return (
    a['status'] === b['status'] &&
    a['end_turn'] === b['end_turn'] &&
    a['recipient'] === b['recipient'] &&
    a['weight'] === b['weight'] &&
    isDeepStrictEqual(a['metadata'], b['metadata'])
  )
}
