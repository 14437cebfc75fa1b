import { isNote } from '#contract/context.ts'
import { attachmentsOf, type Content, Role, textOf } from '#contract/messages.ts'
import { DEFAULT_MODEL_CODE_MAPPING } from '#contract/models.ts'
import type { ImportedConversation } from '#contract/transfer.ts'
import { contentFrom, metadataFrom } from './chatGptMessages.ts'
import { modelCodeOf } from './foreignMessages.ts'
import { conversationOf, type FileNode, lastModelIn, type LooseMessage, nodesFrom } from './importedTree.ts'
import { listOf, titledDocument } from './markdownText.ts'
import { isRaw, jsonFrom, type Raw, rawAt, rawsAt, someTextAt, storable, textAt, timeAt } from './rawValues.ts'

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
  const metadata = rawAt(raw, 'metadata')
  const { content, citations, hidden, fallback } = contentFrom(rawAt(raw, 'content'), metadata)
  const isHidden =
    hidden || (metadata['is_visually_hidden_from_conversation'] === true && content?.content_type !== 'thoughts')
  const message = withCanvas(
    {
      // Messages that the upstream hides are stored, and hidden here as well.
      role: isHidden ? 'system' : (Role.safeParse(author['role']).data ?? 'tool'),
      author_name: textAt(author, 'name')?.slice(0, 500) ?? null,
      model: codeOf(textAt(metadata, 'model_slug')),
      create_time: timeAt(raw, 'create_time'),
      content,
      metadata: metadataFrom(raw, { citations, fallback, isHidden }),
    },
    textAt(raw, 'recipient'),
  )
  return saysNothing(message) || isReport(message) ? null : message
}

/** The upstream calls a tool to write on the canvas; here the text is part of the answer. */
function withCanvas(message: LooseMessage, recipient: string | null): LooseMessage {
  if (message.role !== 'assistant' || message.content === null || !/^canmore(?:\.|$)/.test(recipient ?? ''))
    return message
  const text = canvasText(plainOf(message.content))
  if (text === null || message.metadata?.source !== 'openai_web') return message
  const { recipient: _, ...metadata } = message.metadata
  return {
    ...message,
    content: { content_type: 'text', text },
    metadata: Object.keys(metadata).length > 1 ? metadata : null,
  }
}

/** The text that a call writes on the canvas; null for a call that changes a part of it. */
function canvasText(call: string): string | null {
  const input = jsonFrom(call)
  if (!isRaw(input)) return null
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

function saysNothing(message: LooseMessage): boolean {
  const { role, content, metadata } = message
  if (content === null) return role === 'system' || metadata?.fallback_content === undefined
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

/** Image tools show their pictures and prompts; memory and canvas only report that they were used. */
function isReport(message: LooseMessage): boolean {
  const { role, author_name, content, metadata } = message
  if (role === 'system' || !isNote(message)) return false
  if (role === 'tool') return author_name === 'bio' || content?.content_type === 'text'
  return metadata?.source === 'openai_web' && metadata.recipient === 'bio'
}

function plainOf(content: Content): string {
  return content.content_type === 'thoughts' ? content.text : textOf({ content })
}

function isRecap(message: Raw): boolean {
  return textAt(rawAt(message, 'content'), 'content_type') === 'reasoning_recap'
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

/** Units of time in a recap, in seconds: 4 s, 1m 12s, 2 分, 3 minit. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/(\d+(?:\.\d+)?)\s*(?:h\b|hours?|hrs?\b|小时|jam)/i, 3600],
  [/(\d+(?:\.\d+)?)\s*(?:m\b|min|分|minit)/i, 60],
  [/(\d+(?:\.\d+)?)\s*(?:s\b|sec|秒|saat)/i, 1],
]

/** Null where a recap has no number. */
function recapSeconds(message: Raw): number | null {
  const stated = rawAt(message, 'metadata')['finished_duration_sec']
  if (typeof stated === 'number' && Number.isFinite(stated) && stated >= 0) return stated
  const content = rawAt(message, 'content')
  const text = (textAt(content, 'content') ?? textAt(content, 'text') ?? '').slice(0, 200)
  const parts = UNITS.flatMap(([unit, seconds]) => {
    const found = unit.exec(text)?.[1]
    return found === undefined ? [] : [Number(found) * seconds]
  })
  return parts.length === 0 ? null : parts.reduce((sum, each) => sum + each, 0)
}

/** Our code of a model; the upstream's name when we have none. */
function codeOf(slug: string | null): string | null {
  return slug !== null && Object.hasOwn(CODES, slug) ? (CODES[slug] ?? null) : modelCodeOf(slug)
}
