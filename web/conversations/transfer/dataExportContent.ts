import { Content, ImagePart } from '#contract/messages.ts'
import type { Citations } from './characterPlaces.ts'
import { citedFrom, unmarked } from './dataExportMarks.ts'
import { isRaw, type Raw, rawsAt, textAt } from './rawValues.ts'

type Found = {
  content: Content | null
  citations: Citations
  /** The upstream's own notes: what it was told about the person. */
  hidden: boolean
  /** What nobody here can read, to be shown as it is. */
  fallback?: unknown
}

const NOTES = new Set(['user_editable_context', 'model_editable_context'])
/** The sound and the picture of what was spoken, which are not in the file. */
const RECORDINGS = /(?:audio|video)\w*(?:pointer|asset)|^(?:audio|video)$/

export function contentFrom(raw: Raw, metadata: Raw): Found {
  const type = textAt(raw, 'content_type') ?? ''
  if (NOTES.has(type)) return { content: text(noteOf(raw)), citations: [], hidden: true }
  if (type === 'thoughts')
    return { content: { content_type: 'thoughts', text: thoughtsOf(raw), seconds: null }, citations: [], hidden: false }
  if (type === 'text' || type === 'multimodal_text') return saidIn(raw, type, metadata)
  const known = Content.safeParse(
    type === 'execution_output' || type === 'code' ? { ...raw, text: textAt(raw, 'text') ?? '' } : raw,
  )
  if (!known.success) return { content: null, citations: [], hidden: false, fallback: raw }
  const content = known.data
  return {
    content:
      'text' in content && typeof content.text === 'string' ? { ...content, text: unmarked(content.text) } : content,
    citations: [],
    hidden: false,
  }
}

function saidIn(raw: Raw, type: string, metadata: Raw): Found {
  const parts = (Array.isArray(raw['parts']) ? raw['parts'] : [raw['text'] ?? '']).flatMap(partOf)
  if (parts.every(part => typeof part === 'string')) {
    const { text: said, citations } = citedFrom(parts.join(type === 'text' ? '' : '\n'), metadata)
    return { content: text(withoutBlocks(said)), citations, hidden: false }
  }
  return {
    content: {
      content_type: 'multimodal_text',
      parts: parts.map(part => (typeof part === 'string' ? unmarked(part) : part)),
    },
    citations: [],
    hidden: false,
  }
}

function text(said: string): Content {
  return { content_type: 'text', text: said }
}

/** A letter that it wrote stands in a block of its own kind; its lines are what is read. */
function withoutBlocks(said: string): string {
  return /^:::writing\b/m.test(said) ? said.replace(/^:::(?:writing\b.*)?$\n?/gm, '') : said
}

function partOf(part: unknown): (string | ImagePart)[] {
  if (typeof part === 'string') return part === '' ? [] : [part]
  if (!isRaw(part)) return []
  const type = textAt(part, 'content_type') ?? ''
  if (type === 'image_asset_pointer') {
    const image = ImagePart.safeParse(part)
    return image.success ? [image.data] : []
  }
  const words = textAt(part, 'text')
  if (words !== null) return words === '' ? [] : [words]
  return RECORDINGS.test(type) ? [] : [`[${type || 'part'}]`]
}

function thoughtsOf(raw: Raw): string {
  const steps = rawsAt(raw, 'thoughts').map(each =>
    [textAt(each, 'summary'), textAt(each, 'content')].filter(Boolean).join('\n'),
  )
  return unmarked([...steps, textAt(raw, 'content') ?? ''].filter(each => each.trim() !== '').join('\n\n'))
}

function noteOf(raw: Raw): string {
  const texts = ['content', 'text', 'user_profile', 'user_instructions', 'model_set_context'].map(
    key => textAt(raw, key) ?? '',
  )
  return texts.filter(each => each.trim() !== '').join('\n\n')
}
