import type { WebConversationMetadata } from '../conversations.ts'
import { type Content, type Message, type MessageMetadata, type Role, WebMetadata } from '../messages.ts'
import { type Source, SOURCES } from '../models.ts'
import { isRaw } from '../rawValues.ts'
import { readWebContent } from './content.ts'
import { usesMarks } from './marks.ts'

/** Content and metadata as they are stored. */
type StoredMessage = { content: Content | null; metadata: MessageMetadata | null }
type Author = { role: string; author_name: string | null }

/** How the messages of a source are written: clients read content and metadata by the source of a message. */
type MessageForm = {
  /** A message as it would be stored now: earlier versions could read fewer kinds. */
  read(author: Author, stored: StoredMessage): StoredMessage & { isHidden: boolean }
  /** Whether content is in a form that no other source writes. */
  isOwn(content: Content | null): boolean
  content(content: Content | null): Content | null
  metadata(metadata: MessageMetadata | null): MessageMetadata
  /** Metadata with what older clients want of a message. */
  addressed(message: Message, children: readonly Role[]): MessageMetadata | null
  /** Pointers to the pictures that were made by what an answer ran. */
  madePictures(metadata: MessageMetadata): string[]
  ofConversation(stored: Record<string, unknown> | null): WebConversationMetadata | null
}

/**
 * Whether a message was stored when nobody here could read its kind: with content that was not known, or with marks in
 * its text.
 */
function isReadAnew({ content, metadata }: StoredMessage): boolean {
  if (metadata?.source !== 'openai_web') return false
  if (content === null) return isRaw(metadata.fallback_content) || typeof metadata.fallback_content === 'string'
  return content.content_type === 'text' && usesMarks(content.text ?? content.parts?.join('') ?? '')
}

/** Words alone are a text. */
const asContent = (kept: unknown): unknown =>
  typeof kept === 'string' ? { content_type: 'text', parts: [kept] } : kept

/** The message as it would be stored now. */
function readAnew({ role, author_name }: Author, stored: StoredMessage): StoredMessage & { isHidden: boolean } {
  const metadata = stored.metadata?.source === 'openai_web' ? stored.metadata : null
  const read = readWebContent({
    author: { role, name: author_name },
    content: stored.content ?? asContent(metadata?.fallback_content),
    metadata: metadata ?? {},
    recipient: metadata?.recipient ?? null,
  })
  const { content, citations, isHidden } = read
  return {
    content: content?.content_type === 'text' ? { content_type: 'text', parts: [content.text ?? ''] } : content,
    metadata: metadata === null ? stored.metadata : { ...metadata, ...(citations.length > 0 && { citations }) },
    isHidden,
  }
}

/** The source stands in metadata too, since older clients look at either one. */
const BARE_WEB: MessageMetadata = Object.freeze({ source: 'openai_web' })
const BARE_API: MessageMetadata = Object.freeze({ source: 'openai_api' })

/** Messages of the web source: texts are in parts. */
const webForm: MessageForm = {
  read: (author, stored) => (isReadAnew(stored) ? readAnew(author, stored) : { ...stored, isHidden: false }),

  isOwn(content) {
    if (content === null || content.content_type === 'thoughts') return false
    return content.content_type !== 'text' || content.parts !== undefined
  },

  content: content =>
    content?.content_type === 'text' && content.parts === undefined
      ? { content_type: 'text', parts: [content.text ?? ''] }
      : content,

  metadata(metadata) {
    if (metadata === null || metadata.source === 'openai_web') return metadata ?? BARE_WEB
    return WebMetadata.safeParse({ ...metadata, source: 'openai_web' }).data ?? BARE_WEB
  },

  /**
   * Adds `recipient` and `end_turn` to answers where a file left them out: older clients do not show an answer without.
   */
  addressed({ role, content, metadata }, children) {
    const isAnswer =
      role === 'assistant' && (content?.content_type === 'text' || content?.content_type === 'multimodal_text')
    if (!isAnswer || metadata?.source !== 'openai_web') return metadata
    const recipient = metadata.recipient ?? 'all'
    const isLast = recipient === 'all' && children.every(child => child === 'user')
    return { ...metadata, recipient, end_turn: metadata.end_turn ?? (isLast ? true : null) }
  },

  madePictures: metadata =>
    metadata.source === 'openai_web'
      ? (metadata.aggregate_result?.messages ?? []).flatMap(({ image_url }) => image_url ?? [])
      : [],

  ofConversation: stored => ({ source: 'openai_web', ...stored }),
}

const apiForm: MessageForm = {
  read: (_author, stored) => ({ ...stored, isHidden: false }),
  isOwn: () => false,
  content: content => content,
  metadata: metadata => metadata ?? BARE_API,
  addressed: ({ metadata }) => metadata,
  madePictures: () => [],
  ofConversation: () => null,
}

export const MESSAGE_FORMS: Readonly<Record<Source, MessageForm>> = { openai_api: apiForm, openai_web: webForm }

/** The source whose form content has, whichever its conversation is of: content of several may be imported. */
export const formedBy = (content: Content | null): Source | undefined =>
  SOURCES.find(source => MESSAGE_FORMS[source].isOwn(content))
