import type * as z from 'zod/mini'
import { Attachment, type Citation, type MessageMetadata, WebMetadata } from '#contract/messages.ts'
import { isRaw, type Raw, rawAt, textAt } from './rawValues.ts'

/** What readers of a message look at; the rest of what the upstream notes means nothing here. */
const KEPT = [
  'finish_details',
  'command',
  'args',
  '_cite_metadata',
  'aggregate_result',
  'invoked_plugin',
  'status',
  'is_complete',
] as const
const FIELDS: Readonly<Record<string, z.ZodMiniType>> = WebMetadata.shape

type Found = { citations: z.infer<typeof Citation>[]; fallback?: unknown; isHidden: boolean }

export function metadataFrom(message: Raw, { citations, fallback, isHidden }: Found): MessageMetadata | null {
  const given = rawAt(message, 'metadata')
  const recipient = textAt(message, 'recipient')
  const attachments = Array.isArray(given['attachments'])
    ? given['attachments']
        .filter(isRaw)
        .map(attachmentFrom)
        .filter(each => each !== null)
    : []
  const kept = KEPT.flatMap(key => {
    const field = FIELDS[key]?.safeParse(given[key])
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

function attachmentFrom(raw: Raw): Attachment | null {
  const mimeType = textAt(raw, 'mime_type') ?? textAt(raw, 'mimeType')
  return Attachment.safeParse({ ...raw, mimeType }).data ?? null
}
