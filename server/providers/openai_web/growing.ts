import { isDeepStrictEqual } from 'node:util'
import { storableText } from '#contract/storableText.ts'
import type { Content } from '#contract/messages.ts'
import type { Fields } from '../looseJson.ts'

/**
 * The text of a content that is appended to while it grows, in parts the last one: storable, and never ending within a
 * character.
 */
export const growingText = (content: Content | null): string => wholeCharacters(textOf(content))

function textOf(content: Content | null): string {
  if (content === null) return ''
  switch (content.content_type) {
    case 'text':
      return content.parts?.at(-1) ?? content.text ?? ''
    case 'multimodal_text': {
      const last = content.parts.at(-1)
      return typeof last === 'string' ? last : ''
    }
    case 'tether_browsing_display':
      return content.result
    default:
      return content.text
  }
}

/** A text that may have been cut anywhere, without the half of a pair of surrogates at its end; storable. */
export function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return storableText(last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text)
}

/** The content with another growing text; as it is where it has none. */
export function withGrowingText(content: Content | null, text: string): Content | null {
  if (content === null) return null
  switch (content.content_type) {
    case 'text':
      return { ...content, parts: [...(content.parts ?? []).slice(0, -1), text] }
    case 'multimodal_text':
      return typeof content.parts.at(-1) === 'string'
        ? { ...content, parts: [...content.parts.slice(0, -1), text] }
        : content
    case 'tether_browsing_display':
      return { ...content, result: text }
    default:
      return { ...content, text }
  }
}

/** Where the text of a content stands. */
function textField({ content_type }: Content): string {
  if (content_type === 'text' || content_type === 'multimodal_text') return 'parts'
  return content_type === 'tether_browsing_display' ? 'result' : 'text'
}

/** Whether two contents differ in nothing but their growing text. */
export function isSameBesideText(one: Content | null, other: Content | null): boolean {
  if (one === null || other === null || one.content_type !== other.content_type) return one === other
  const name = textField(one)
  const [a, b]: Fields[] = [one, other]
  for (const key of Object.keys({ ...a, ...b }))
    if (key === name ? !hasSameShape(a?.[key], b?.[key]) : !isDeepStrictEqual(a?.[key], b?.[key])) return false
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
