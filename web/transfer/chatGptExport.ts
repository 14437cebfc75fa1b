import type * as z from 'zod/mini'
import { beginningOf } from '#contract/cutText.ts'
import { attachmentsOf, Role, Attachment, type MessageMetadata, WebMetadata } from '#contract/messages.ts'
import { DEFAULT_MODEL_CODE_MAPPING } from '#contract/models.ts'
import type { ImportedConversation } from '#contract/transfer.ts'
import {
  conversationOf,
  type FileNode,
  lastModelIn,
  type LooseMessage,
  modelCodeOf,
  nodesFrom,
} from './importedTree.ts'
import { isRaw, type Raw, rawAt, storable, textAt, timeAt, rawsAt } from '#contract/rawValues.ts'
import { plainOf, readWebContent, type WebContent } from '#contract/messageForms/content.ts'
import { isRecap, recapSeconds } from '#contract/messageForms/words.ts'

const CODES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(DEFAULT_MODEL_CODE_MAPPING.openai_web).map(([code, slug]) => [slug, code]),
)

/** A conversation of ChatGPT's data export: the same tree as ours, with the upstream's content types. */
export function fromChatGptExport(raw: Raw): ImportedConversation | null {
  const mapping = rawAt(raw, 'mapping')
  const id =
    textAt(raw, 'conversation_id') ??
    textAt(raw, 'id') ??
    `${textAt(raw, 'title') ?? ''} ${timeAt(raw, 'create_time') ?? ''}`.trim()
  if (id === '') return null
  const nodes = nodesFrom(mapping, node => {
    const message = messageFrom(node['message'])
    return message === null ? [] : [message]
  })
  addSeconds(mapping, nodes)
  return conversationOf(
    {
      id,
      title: textAt(raw, 'title'),
      create_time: timeAt(raw, 'create_time'),
      update_time: timeAt(raw, 'update_time'),
      current_node: textAt(raw, 'current_node'),
      current_model: codeOf(textAt(raw, 'default_model_slug')) ?? lastModelIn(nodes),
    },
    nodes,
  )
}

/** Null for a message without anything to show: the root, empty messages, recaps, and reports of memory and canvas. */
function messageFrom(given: unknown): LooseMessage | null {
  const raw = storable(given)
  if (!isRaw(raw) || isRecap(raw)) return null
  const author = rawAt(raw, 'author')
  const read = readWebContent(raw)
  const message: LooseMessage = {
    // Messages that the upstream hides are stored, and hidden here as well.
    role: read.isHidden ? 'system' : (Role.safeParse(author['role']).data ?? 'tool'),
    author_name: beginningOf(textAt(author, 'name') ?? '', 500) || null,
    model: codeOf(textAt(rawAt(raw, 'metadata'), 'model_slug')),
    create_time: timeAt(raw, 'create_time'),
    content: read.content,
    metadata: metadataFrom(raw, read),
  }
  const isReport = read.isHidden && author['role'] !== 'user' && !isMarkedHidden(raw) && !read.isUnknown
  return isReport || saysNothing(message) ? null : message
}

const isMarkedHidden = (raw: Raw): boolean => rawAt(raw, 'metadata')['is_visually_hidden_from_conversation'] === true

function saysNothing(message: LooseMessage): boolean {
  const { role, content, metadata } = message
  if (content === null) return metadata?.fallback_content === undefined
  if (role === 'system') return content.content_type !== 'text' || plainOf(content).trim() === ''
  switch (content.content_type) {
    case 'text':
    case 'thoughts':
      return plainOf(content).trim() === '' && attachmentsOf(message).length === 0
    case 'multimodal_text':
      return content.parts.length === 0
    default:
      return false
  }
}

/** A recap has the seconds of the thoughts before it. */
function addSeconds(mapping: Raw, nodes: Map<string, FileNode>): void {
  for (const node of Object.values(mapping)) {
    if (!isRaw(node)) continue
    const message = rawAt(node, 'message')
    const seconds = isRecap(message) ? recapSeconds(message) : null
    const above = seconds === null ? null : thoughtsAbove(nodes, textAt(node, 'parent'))
    const [thoughts] = above?.messages ?? []
    if (above !== null && thoughts?.content?.content_type === 'thoughts')
      above.messages = [{ ...thoughts, content: { ...thoughts.content, seconds } }]
  }
}

/** The nearest thoughts above, unless the user or the model has said something in between. */
function thoughtsAbove(nodes: ReadonlyMap<string, FileNode>, from: string | null): FileNode | null {
  let node = nodes.get(from ?? '')
  for (let steps = 0; node !== undefined && steps < 1000; steps++) {
    const [message] = node.messages
    if (message?.content?.content_type === 'thoughts') return node
    if (message?.role === 'user' || (message?.role === 'assistant' && message.content?.content_type === 'text'))
      return null
    node = nodes.get(node.parent ?? '')
  }
  return null
}

/** Our code of a model; the upstream's name when we have none. */
function codeOf(slug: string | null): string | null {
  return slug !== null && Object.hasOwn(CODES, slug) ? (CODES[slug] ?? null) : modelCodeOf(slug)
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

function metadataFrom(
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
