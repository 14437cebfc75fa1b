import type * as z from 'zod/mini'
import { Attachment, type MessageMetadata, WebMetadata } from '#contract/messages.ts'
import { type Raw, rawAt, rawsAt, textAt } from '#contract/rawValues.ts'
import type { WebContent } from '#contract/webMessages/content.ts'

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

export function metadataFrom(
  message: Raw,
  { content, citations, isHidden, isUnknown, isOnCanvas }: WebContent,
): MessageMetadata | null {
  const given = rawAt(message, 'metadata')
  const recipient = isOnCanvas ? null : textAt(message, 'recipient')
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
    ...((isUnknown || content === null) && { fallback_content: message['content'] }),
  }
  return Object.keys(found).length === 0
    ? null
    : (WebMetadata.safeParse({ source: 'openai_web', ...found }).data ?? null)
}
