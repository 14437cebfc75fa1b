import { isServiceNotice } from '../context.ts'
import { listOf, titledDocument } from '../markdownParts.ts'
import { Content, ImagePart } from '../messages.ts'
import { isRaw, paragraphs, type Raw, rawAt, rawsAt, textAt, jsonFrom, someTextAt } from '../rawValues.ts'
import { type Citations, citedFrom, withoutMarks } from './marks.ts'
import { wordsOf } from './words.ts'

/** What a message of a web account says, and to whom. */
export type WebContent = {
  /** Null where there are no words. */
  content: Content | null
  /** Sources that stand in the text. */
  citations: Citations
  /** It says nothing to the reader: what the service notes for itself, reports of its tools, what nobody can read. */
  isHidden: boolean
  /** The type is one that nobody knows here; `content` has what words there are in it. */
  isUnknown: boolean
  /** The text was written to a tool, and is part of the answer. */
  isOnCanvas: boolean
}

/** Profiles of the person and of the model, which the service adds to its own prompt. */
const NOTES = new Set([
  'user_editable_context',
  'model_editable_context',
  'model_set_context',
  'app_pairing_content',
  'client_context',
])
/** Sound and video of a spoken message, which are not in the file. */
const RECORDINGS = /(?:audio|video)\w*(?:pointer|asset)|^(?:audio|video)$/

/** Reads a message as the service sends, keeps and exports it. `grows`: more of it is to come. */
export function readWebContent(message: Raw, grows = false): WebContent {
  const metadata = rawAt(message, 'metadata')
  const raw = rawAt(message, 'content')
  const author = rawAt(message, 'author')
  const recipient = textAt(message, 'recipient')
  const isAssistant = author['role'] === 'assistant'
  const type = textAt(raw, 'content_type') ?? ''
  const read = contentFrom(type, raw, { metadata, grows })
  if (type === 'text' && isAssistant && message['channel'] === 'analysis' && (recipient ?? 'all') === 'all')
    return { ...read, citations: [], content: thoughts(plainOf(read.content)) }
  if (isAssistant && isCanvas(recipient)) {
    const text = canvasText(plainOf(read.content), grows)
    if (text !== null) return { ...read, content: { content_type: 'text', text }, citations: [], isOnCanvas: true }
  }
  const isThought = read.content?.content_type === 'thoughts'
  const isHidden =
    read.isHidden ||
    (metadata['is_visually_hidden_from_conversation'] === true && !isThought) ||
    (isThought && !grows && plainOf(read.content).trim() === '') ||
    (read.content === null && !grows) ||
    isServiceNotice(author['role'] === 'tool' ? textAt(author, 'name') : isAssistant ? recipient : null, {
      isTool: author['role'] === 'tool',
      text: read.content?.content_type === 'text' ? plainOf(read.content) : null,
    })
  return { ...read, isHidden }
}

type Reading = { metadata: Raw; grows: boolean }

function contentFrom(type: string, raw: Raw, { metadata, grows }: Reading): WebContent {
  const of = (content: Content | null, more: Partial<WebContent> = {}): WebContent => ({
    content,
    citations: [],
    isHidden: false,
    isUnknown: false,
    isOnCanvas: false,
    ...more,
  })
  if (NOTES.has(type)) return of({ content_type: 'text', text: noteOf(raw) }, { isHidden: true })
  if (type === 'reasoning_recap')
    return of({ content_type: 'text', text: textAt(raw, 'content') ?? textAt(raw, 'text') ?? '' }, { isHidden: true })
  if (type === 'thoughts') return of(thoughts(thoughtsOf(raw)))
  if (type === 'text' || type === 'multimodal_text') {
    const parts = (Array.isArray(raw['parts']) ? raw['parts'] : [raw['text'] ?? '']).flatMap(partOf)
    if (!parts.every(part => typeof part === 'string'))
      return of({
        content_type: 'multimodal_text',
        parts: parts.map(part => (typeof part === 'string' ? withoutMarks(part) : part)),
      })
    const { text, citations } = citedFrom(parts.join(type === 'text' ? '' : '\n'), metadata, grows)
    return of({ content_type: 'text', text: withoutWritingBlocks(text) }, { citations })
  }
  const known = Content.safeParse(filled(type, raw))
  if (known.success) return of(withPlainText(known.data))
  const words = withoutMarks(wordsOf(raw))
  return of(words === '' ? null : { content_type: 'text', text: words }, { isUnknown: true })
}

/** Types whose required texts upstreams leave out where they are empty. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  code: ['text'],
  execution_output: ['text'],
  stderr: ['text'],
  system_error: ['name', 'text'],
  tether_quote: ['text', 'url'],
  tether_browsing_display: ['result'],
}

function filled(type: string, raw: Raw): Raw {
  const names = Object.hasOwn(TEXTS, type) ? (TEXTS[type] ?? []) : []
  return { ...raw, ...Object.fromEntries(names.map(name => [name, textAt(raw, name) ?? ''])) }
}

const withPlainText = (content: Content): Content =>
  'text' in content && typeof content.text === 'string' ? { ...content, text: withoutMarks(content.text) } : content

const thoughts = (text: string): Content => ({ content_type: 'thoughts', text, seconds: null })

/** Unwraps letters that the model wrote in a block `:::writing`; their lines stay. */
function withoutWritingBlocks(text: string): string {
  return text.includes(':::writing') && /^:::writing\b/m.test(text)
    ? text.replace(/^:::(?:writing\b.*)?$\n?/gm, '')
    : text
}

function partOf(part: unknown): (string | ImagePart)[] {
  if (typeof part === 'string') return part === '' ? [] : [part]
  if (!isRaw(part)) return []
  const type = textAt(part, 'content_type') ?? ''
  if (type === 'image_asset_pointer') return imageOf(part)
  const text = textAt(part, 'text')
  if (text !== null) return text === '' ? [] : [text]
  const words = RECORDINGS.test(type) ? '' : wordsOf(part)
  return words === '' ? [] : [words]
}

/** A picture; of one whose details are in another form, what leads to it. */
function imageOf(part: Raw): ImagePart[] {
  const { content_type, asset_pointer } = part
  const image = ImagePart.safeParse(part).data ?? ImagePart.safeParse({ content_type, asset_pointer }).data
  return image === undefined || image.asset_pointer === '' ? [] : [image]
}

function thoughtsOf(raw: Raw): string {
  const steps = rawsAt(raw, 'thoughts').map(each =>
    [textAt(each, 'summary'), textAt(each, 'content')].filter(Boolean).join('\n'),
  )
  return withoutMarks(paragraphs([...steps, textAt(raw, 'content'), textAt(raw, 'text')]))
}

function noteOf(raw: Raw): string {
  return paragraphs(
    ['content', 'text', 'user_profile', 'user_instructions', 'model_set_context'].map(key => textAt(raw, key)),
  )
}

/** The text of a content that was read, also of thoughts. */
export function plainOf(content: Content | null): string {
  if (content === null) return ''
  switch (content.content_type) {
    case 'text':
      return content.text ?? content.parts?.join('') ?? ''
    case 'multimodal_text':
      return content.parts.filter(part => typeof part === 'string').join('\n')
    case 'tether_browsing_display':
      return content.result
    default:
      return content.text
  }
}

/** Characters of a call that are read while it grows. */
const MAX_GROWING = 64_000

const isCanvas = (recipient: string | null): boolean => /^canmore(?:\.|$)/.test(recipient ?? '')

/**
 * The text that a call writes on the canvas, a document beside the conversation; null for a call that changes a part of
 * it. Of a call that `grows`, as far as it has come.
 */
export function canvasText(call: string, grows = false): string | null {
  const whole = jsonFrom(call)
  if (isRaw(whole)) return documentIn(whole)
  if (!grows || call.length > MAX_GROWING) return null
  const input = closed(call)
  const text = input === null ? null : documentIn(input)
  // A fence is closed at the end.
  return text === null ? null : text.replace(/\n`{3,}$/, '')
}

function documentIn(input: Raw): string | null {
  const whole = rawsAt(input, 'updates').find(each => textAt(each, 'pattern') === '.*')
  const content = someTextAt(input, 'content') ?? (whole === undefined ? null : someTextAt(whole, 'replacement'))
  if (content !== null) {
    const type = textAt(input, 'type') ?? ''
    return titledDocument(
      someTextAt(input, 'name'),
      content,
      type.startsWith('code') ? type.slice('code/'.length) : null,
    )
  }
  return listOf(rawsAt(input, 'comments').map(each => someTextAt(each, 'comment') ?? '')) || null
}

/** JSON that has come as far as into a string. */
function closed(call: string): Raw | null {
  const text = call.replace(/\\u[\dA-Fa-f]{0,3}$/, '')
  let slashes = 0
  while (text[text.length - 1 - slashes] === '\\') slashes += 1
  // Half of an escape.
  const whole = slashes % 2 === 1 ? text.slice(0, -1) : text
  for (const end of ['"}', '"}]}', '}', '}]}', ']}']) {
    const value = jsonFrom(whole + end)
    if (isRaw(value)) return value
  }
  return null
}
