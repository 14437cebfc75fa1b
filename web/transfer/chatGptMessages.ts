import type * as z from 'zod/mini'
import { Attachment, Content, ImagePart, type MessageMetadata, WebMetadata } from '#contract/messages.ts'
import { citedFrom, withoutMarks } from './chatGptCitations.ts'
import type { Citations } from './foreignMessages.ts'
import { isRaw, paragraphs, type Raw, rawAt, rawsAt, textAt } from './rawValues.ts'

type MessageContent = {
  content: Content | null
  citations: Citations
  /** What the upstream stored about the person. */
  hidden: boolean
  /** Unknown content, which is shown raw. */
  fallback?: unknown
}

const NOTES = new Set(['user_editable_context', 'model_editable_context'])
/** Sound and video of a spoken message, which are not in the file. */
const RECORDINGS = /(?:audio|video)\w*(?:pointer|asset)|^(?:audio|video)$/

export function contentFrom(raw: Raw, metadata: Raw): MessageContent {
  const of = (content: Content | null, more: Partial<MessageContent> = {}): MessageContent => ({
    content,
    citations: [],
    hidden: false,
    ...more,
  })
  const type = textAt(raw, 'content_type') ?? ''
  if (NOTES.has(type)) return of({ content_type: 'text', text: noteOf(raw) }, { hidden: true })
  if (type === 'thoughts') return of({ content_type: 'thoughts', text: thoughtsOf(raw), seconds: null })
  if (type === 'text' || type === 'multimodal_text') {
    const parts = (Array.isArray(raw['parts']) ? raw['parts'] : [raw['text'] ?? '']).flatMap(partOf)
    if (!parts.every(part => typeof part === 'string'))
      return of({
        content_type: 'multimodal_text',
        parts: parts.map(part => (typeof part === 'string' ? withoutMarks(part) : part)),
      })
    const { text, citations } = citedFrom(parts.join(type === 'text' ? '' : '\n'), metadata)
    return of({ content_type: 'text', text: withoutWritingBlocks(text) }, { citations })
  }
  const known = Content.safeParse(
    type === 'execution_output' || type === 'code' ? { ...raw, text: textAt(raw, 'text') ?? '' } : raw,
  )
  if (!known.success) return of(null, { fallback: raw })
  const content = known.data
  return of(
    'text' in content && typeof content.text === 'string' ? { ...content, text: withoutMarks(content.text) } : content,
  )
}

/** Unwraps letters that the model wrote in a block `:::writing`; their lines stay. */
function withoutWritingBlocks(text: string): string {
  return /^:::writing\b/m.test(text) ? text.replace(/^:::(?:writing\b.*)?$\n?/gm, '') : text
}

function partOf(part: unknown): (string | ImagePart)[] {
  if (typeof part === 'string') return part === '' ? [] : [part]
  if (!isRaw(part)) return []
  const type = textAt(part, 'content_type') ?? ''
  if (type === 'image_asset_pointer') {
    const image = ImagePart.safeParse(part)
    return image.success ? [image.data] : []
  }
  const text = textAt(part, 'text')
  if (text !== null) return text === '' ? [] : [text]
  return RECORDINGS.test(type) ? [] : [`[${type || 'part'}]`]
}

function thoughtsOf(raw: Raw): string {
  const steps = rawsAt(raw, 'thoughts').map(each =>
    [textAt(each, 'summary'), textAt(each, 'content')].filter(Boolean).join('\n'),
  )
  return withoutMarks(paragraphs([...steps, textAt(raw, 'content')]))
}

function noteOf(raw: Raw): string {
  return paragraphs(
    ['content', 'text', 'user_profile', 'user_instructions', 'model_set_context'].map(key => textAt(raw, key)),
  )
}

/** The fields of the metadata that are read here. */
const METADATA_FIELDS = [
  'finish_details',
  'command',
  'args',
  '_cite_metadata',
  'aggregate_result',
  'invoked_plugin',
  'status',
  'is_complete',
] as const
const SCHEMAS: Readonly<Record<string, z.ZodMiniType>> = WebMetadata.shape

type Found = Pick<MessageContent, 'citations' | 'fallback'> & { isHidden: boolean }

export function metadataFrom(message: Raw, { citations, fallback, isHidden }: Found): MessageMetadata | null {
  const given = rawAt(message, 'metadata')
  const recipient = textAt(message, 'recipient')
  const attachments = rawsAt(given, 'attachments').flatMap(raw => {
    const mimeType = textAt(raw, 'mime_type') ?? textAt(raw, 'mimeType')
    return Attachment.safeParse({ ...raw, mimeType }).data ?? []
  })
  const kept = METADATA_FIELDS.flatMap(key => {
    const field = SCHEMAS[key]?.safeParse(given[key])
    return field?.success && field.data != null ? [[key, field.data] as const] : []
  })
  const found = {
    ...Object.fromEntries(kept),
    ...(recipient !== null && recipient !== 'all' && { recipient }),
    ...(citations.length > 0 && { citations }),
    ...(attachments.length > 0 && { attachments }),
    ...(isHidden && { is_visually_hidden_from_conversation: true }),
    ...(fallback !== undefined && { fallback_content: fallback }),
  }
  return Object.keys(found).length === 0
    ? null
    : (WebMetadata.safeParse({ source: 'openai_web', ...found }).data ?? null)
}
