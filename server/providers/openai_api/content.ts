import { fieldOf, isFields } from '../looseJson.ts'

/** What a piece of an answer says to the reader, and what the model thought. */
export type TextAndThoughts = { text: string; thoughts: string }

/** Nesting of content within content that is read. */
const DEEPEST = 4

const THOUGHTS = /^(?:redacted_)?(?:thinking|thoughts?|reasoning)/
/** What such a part calls its text, whichever comes first. */
const TEXTS = ['text', 'output_text', 'content', 'value', 'refusal', 'parts'] as const
const THOUGHT_TEXTS = ['thinking', 'reasoning', 'thought', 'text', 'content', 'summary'] as const
/** Where a message has its thoughts beside its content; endpoints that send two of them send the same twice. */
const BESIDE = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking', 'reasoning_details'] as const

const SHOWN_IMAGE = /^(?:data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/=]+|https?:\/\/[^\s<>()"\\]+)$/i

/**
 * What a message says, or what is new of it: the content in any of its forms, a refusal where there is none, and
 * pictures beside it.
 */
export function saidIn(message: unknown): TextAndThoughts {
  if (typeof message === 'string') return said(message)
  if (!isFields(message)) return NOTHING
  const { text, thoughts } = contentOf(message['content'], DEEPEST)
  const images = contentOf(message['images'], DEEPEST).text
  const refusal = text === '' ? contentOf(message['refusal'], DEEPEST).text : ''
  const beside = thoughts === '' ? thoughtIn(message, BESIDE, DEEPEST + 1) : ''
  return { text: text + refusal + images, thoughts: thoughts + beside }
}

/** A string, an object or a list of them. */
function contentOf(content: unknown, depth: number): TextAndThoughts {
  if (content === undefined || content === null) return NOTHING
  if (typeof content === 'string') return said(content)
  if (depth === 0) return NOTHING
  if (Array.isArray(content)) {
    const all = content.map(part => contentOf(part, depth - 1))
    return { text: all.map(({ text }) => text).join(''), thoughts: all.map(({ thoughts }) => thoughts).join('') }
  }
  if (!isFields(content)) return NOTHING
  const type = typeof content['type'] === 'string' ? content['type'] : ''
  if (THOUGHTS.test(type) || content['thought'] === true)
    return { text: '', thoughts: thoughtIn(content, THOUGHT_TEXTS, depth) }
  const image = imageIn(content)
  if (image !== null) return said(image)
  return firstOf(content, TEXTS, depth)
}

/** The first of these fields that says anything. */
function firstOf(content: unknown, names: readonly string[], depth: number): TextAndThoughts {
  for (const name of names) {
    const found = contentOf(fieldOf(content, name), depth - 1)
    if (found.text !== '' || found.thoughts !== '') return found
  }
  return NOTHING
}

/** All of it is thought, in whatever form it comes. */
function thoughtIn(content: unknown, names: readonly string[], depth: number): string {
  const { text, thoughts } = firstOf(content, names, depth)
  return text + thoughts
}

/** Links to pictures in the parts and fields of a message: the endpoint's own, none that the model has written. */
export function pictureLinksIn(message: unknown): string[] {
  return isFields(message) ? [message['content'], message['images']].flatMap(each => linksIn(each, DEEPEST)) : []
}

function linksIn(content: unknown, depth: number): string[] {
  if (depth === 0) return []
  if (Array.isArray(content)) return content.flatMap(part => linksIn(part, depth - 1))
  const url = isFields(content) ? shownUrl(content) : null
  return url?.startsWith('http') === true ? [url] : []
}

/** A picture as Markdown; nothing that a reader's browser could not show. */
function imageIn(part: unknown): string | null {
  const url = shownUrl(part)
  return url === null ? null : `\n\n![](${url})\n\n`
}

function shownUrl(part: unknown): string | null {
  const given = fieldOf(part, 'image_url') ?? fieldOf(part, 'image')
  const url = typeof given === 'string' ? given : fieldOf(given, 'url')
  return typeof url === 'string' && SHOWN_IMAGE.test(url) ? url : null
}

/** Most fields that are looked at are not there: one object for all of them. */
const NOTHING: TextAndThoughts = Object.freeze({ text: '', thoughts: '' })

const said = (text: string): TextAndThoughts => ({ text, thoughts: '' })
