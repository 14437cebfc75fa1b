import type { MessageForm } from '../messageForm.ts'
import { type MessageMetadata, WebMetadata } from '../messages.ts'
import { isReadAnew, readAnew } from './readAnew.ts'

/** The source stands in metadata too, since older clients look at either one. */
const BARE: MessageMetadata = Object.freeze({ source: 'openai_web' })

/** Messages of the web source: texts are in parts. */
export const webForm: MessageForm = {
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
    if (metadata === null || metadata.source === 'openai_web') return metadata ?? BARE
    return WebMetadata.safeParse({ ...metadata, source: 'openai_web' }).data ?? BARE
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
