import { createHash } from 'node:crypto'
import { isInContext } from '#contract/context.ts'
import { type Message, textOf, withoutPictures } from '#contract/messages.ts'
import type { AttachedPart } from '../attachedPart.ts'
import type { Attached } from '../provider.ts'
import { DataUrl } from './requestBody.ts'

/** Asks for more of an answer, where the source has no other way to; never shown. */
const GO_ON = 'Continue exactly where you stopped, without repeating anything.'

export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: DataUrl; detail: 'auto' | 'low' | 'high' } }
  | { type: 'file'; file: { filename: string; file_data: DataUrl } }

/** In which role a model takes what it is told first; `user`: before the first question. */
export type InstructionRole = 'system' | 'developer' | 'user'

export type UpstreamMessage = { role: InstructionRole | 'assistant'; content: string | ContentPart[] }

/** What was said in a row by one side: what goes with it, and its text. */
type Turn = { role: UpstreamMessage['role']; parts: ContentPart[]; text: string }

/**
 * A thread as the endpoint wants it. Messages without text (pictures, runs of tools) have nothing to say there, nor
 * have pictures within an answer, and what nobody said to anybody stays here. What the same side said in a row, as
 * after a failed answer or in a continued one, is one message: the templates of some models want the sides to take
 * turns. They also refuse a system message that is not the first, so that a later one is left out: it is a note of an
 * import, since nothing here writes any.
 *
 * Documents and pictures stand before the words of their question. Without a picture or file the content is one text:
 * many endpoints take nothing else.
 */
export function toUpstream(
  thread: readonly Message[],
  continues = false,
  attached: Attached = new Map(),
): UpstreamMessage[] {
  const said: Turn[] = []
  for (const message of thread) {
    const role = message.role === 'tool' ? ('assistant' as const) : message.role
    const words = role === 'assistant' ? withoutPictures(textOf(message)) : textOf(message)
    const beside = role === 'user' ? (attached.get(message.id) ?? []) : []
    const documents = beside.flatMap(part => (part.kind === 'text' ? [framed(part)] : []))
    const text = joined(...documents, words)
    const parts = beside.flatMap(toParts)
    const before = said.at(-1)
    if ((text === '' && parts.length === 0) || !isInContext(message)) continue
    if (before?.role === role) {
      before.text = joined(before.text, text)
      before.parts.push(...parts)
    } else if (role !== 'system' || before === undefined) said.push({ role, text, parts })
  }
  if (continues) said.push({ role: 'user', text: GO_ON, parts: [] })
  return said.map(({ role, text, parts }) => ({
    role,
    content: parts.length === 0 ? text : [...parts, ...(text === '' ? [] : [{ type: 'text' as const, text }])],
  }))
}

/** What the model is told first, in the role in which it takes it. */
export function instructedAs(role: InstructionRole, messages: UpstreamMessage[]): UpstreamMessage[] {
  const [first, question, ...others] = messages
  if (role === 'system' || first?.role !== 'system') return messages
  if (role === 'developer' || question?.role !== 'user') return [{ ...first, role }, ...messages.slice(1)]
  return [{ role: 'user', content: withBefore(first.content, question.content) }, ...others]
}

function withBefore(
  before: UpstreamMessage['content'],
  content: UpstreamMessage['content'],
): UpstreamMessage['content'] {
  if (typeof before === 'string' && typeof content === 'string') return joined(before, content)
  const parts = (given: UpstreamMessage['content']): ContentPart[] =>
    typeof given === 'string' ? [{ type: 'text', text: given }] : given
  return [...parts(before), ...parts(content)]
}

const joined = (...texts: readonly string[]): string => texts.filter(text => text !== '').join('\n\n')

function toParts(part: AttachedPart): ContentPart[] {
  switch (part.kind) {
    case 'text':
      return []
    case 'picture':
      return [{ type: 'image_url', image_url: { url: new DataUrl(part), detail: part.detail } }]
    case 'file':
      return [{ type: 'file', file: { filename: plainName(part.name), file_data: new DataUrl(part) } }]
  }
}

/** Hexadecimal digits in the name of a frame. */
const FRAME_DIGITS = 16

/**
 * The text of a document in a frame that no text within it can close: its name has a digest of the text, which nobody
 * can write into the text itself. The same text has the same frame each time, so that endpoints find the beginning of a
 * conversation in their caches.
 */
function framed({ name, pages, text }: Extract<AttachedPart, { kind: 'text' }>): string {
  const words = pages === null ? text : withPageNumbers(text, pages)
  let digest = ''
  do digest = createHash('sha256').update(`${digest}${name}\n${words}`).digest('hex').slice(0, FRAME_DIGITS)
  while (words.includes(digest))
  const frame = `document-${digest}`
  const which = pages === null || pages.length === 0 ? '' : ` pages="${rangesOf(pages)}"`
  return `<${frame} name="${plainName(name)}"${which}>\n${words}\n</${frame}>`
}

const withPageNumbers = (text: string, pages: readonly number[]): string =>
  text
    .split('\f')
    .map((page, at) => `[page ${pages[at] ?? at + 1}]\n${page.trim()}`)
    .join('\n\n')

/** "1-24, 30". */
function rangesOf(pages: readonly number[]): string {
  const ranges: { first: number; last: number }[] = []
  for (const page of pages) {
    const previous = ranges.at(-1)
    if (previous?.last === page - 1) previous.last = page
    else ranges.push({ first: page, last: page })
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
}

const MAX_NAME = 200

/** A name that ends neither its line nor its quotation marks. */
const plainName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"<>&]+/gu, '_')
    .slice(0, MAX_NAME)
    .toWellFormed()
