import type * as z from 'zod/mini'
import { type Citation, Content, ImagePart } from '#contract/messages.ts'
import { citedFrom } from './dataExportCitations.ts'
import { isRaw, type Raw, textAt } from './rawValues.ts'

type Found = {
  content: Content | null
  citations: z.infer<typeof Citation>[]
  /** The upstream's own notes: what it thought, what it was told about the person. */
  hidden: boolean
  /** What nobody here can read, to be shown as it is. */
  fallback?: unknown
}

const NOTES = new Set(['thoughts', 'reasoning_recap', 'user_editable_context', 'model_editable_context'])

export function contentFrom(raw: Raw, metadata: Raw): Found {
  const type = textAt(raw, 'content_type') ?? ''
  if (NOTES.has(type)) return { content: text(noteOf(raw)), citations: [], hidden: true }
  if (type === 'text' || type === 'multimodal_text') {
    const parts = Array.isArray(raw['parts']) ? raw['parts'] : [raw['text'] ?? '']
    const images = parts.flatMap(partOf)
    if (images.some(part => typeof part !== 'string')) return { content: { content_type: 'multimodal_text', parts: images }, citations: [], hidden: false }
    const { text: said, citations } = citedFrom(images.join(type === 'text' ? '' : '\n'), metadata)
    return { content: text(said), citations, hidden: false }
  }
  const known = Content.safeParse(type === 'execution_output' || type === 'code' ? { ...raw, text: textAt(raw, 'text') ?? '' } : raw)
  return known.success ? { content: known.data, citations: [], hidden: false } : { content: null, citations: [], hidden: false, fallback: raw }
}

function text(said: string): Content {
  return { content_type: 'text', text: said }
}

function partOf(part: unknown): (string | ImagePart)[] {
  if (typeof part === 'string') return part === '' ? [] : [part]
  if (!isRaw(part)) return []
  if (part['content_type'] === 'image_asset_pointer') {
    const image = ImagePart.safeParse(part)
    return image.success ? [image.data] : []
  }
  // Of what was spoken the words are kept; the sound itself is not in the file.
  const words = textAt(part, 'text')
  return [words ?? `[${textAt(part, 'content_type') ?? 'part'}]`]
}

function noteOf(raw: Raw): string {
  const thoughts = Array.isArray(raw['thoughts']) ? raw['thoughts'].filter(isRaw).map(each => [textAt(each, 'summary'), textAt(each, 'content')].filter(Boolean).join('\n')) : []
  const texts = ['content', 'text', 'user_profile', 'user_instructions', 'model_set_context'].map(key => textAt(raw, key) ?? '')
  return [...thoughts, ...texts].filter(each => each.trim() !== '').join('\n\n')
}
