import { isNote } from '#contract/context.ts'
import { type Content, textOf } from '#contract/messages.ts'
import { DEFAULT_MODEL_CODE_MAPPING, ModelCode } from '#contract/models.ts'
import type { ImportedConversation } from '#contract/transfer.ts'
import { canvasText } from './dataExportCanvas.ts'
import { contentFrom } from './dataExportContent.ts'
import { metadataFrom } from './dataExportMetadata.ts'
import { recapSeconds } from './dataExportRecap.ts'
import { conversationOf, type FileNode, type LooseMessage } from './importedTree.ts'
import { textsIn } from './ownExport.ts'
import { isRaw, type Raw, rawAt, textAt, timeAt } from './rawValues.ts'
import { storable } from './storable.ts'

const ROLES = ['system', 'user', 'assistant', 'tool'] as const
const CODES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(DEFAULT_MODEL_CODE_MAPPING.openai_web).map(([code, slug]) => [slug, code]),
)

/** A conversation of ChatGPT's data export: the same tree, in the upstream's own words. */
export function fromDataExport(raw: Raw): ImportedConversation | null {
  const mapping = rawAt(raw, 'mapping')
  const id =
    textAt(raw, 'conversation_id') ??
    textAt(raw, 'id') ??
    `${textAt(raw, 'title') ?? ''} ${timeAt(raw, 'create_time') ?? ''}`.trim()
  if (id === '') return null
  const nodes = new Map<string, FileNode>()
  for (const [key, node] of Object.entries(mapping)) {
    if (!isRaw(node)) continue
    const message = messageFrom(node['message'])
    nodes.set(key, {
      parent: textAt(node, 'parent'),
      children: textsIn(node['children']),
      messages: message === null ? [] : [message],
    })
  }
  tellSeconds(mapping, nodes)
  const models = [...nodes.values()].map(({ messages }) => messages[0]?.model ?? null).filter(model => model !== null)
  return conversationOf(
    {
      id,
      title: textAt(raw, 'title'),
      create_time: timeAt(raw, 'create_time'),
      update_time: timeAt(raw, 'update_time'),
      current_node: textAt(raw, 'current_node'),
      current_model: codeOf(raw['default_model_slug']) ?? models.at(-1) ?? null,
    },
    nodes,
  )
}

/** Null for what says nothing, such as the root, empty messages, recaps, and what its memory and its canvas report. */
function messageFrom(given: unknown): LooseMessage | null {
  const kept = storable(given)
  if (!isRaw(kept)) return null
  const author = rawAt(kept, 'author')
  const metadata = rawAt(kept, 'metadata')
  const role = ROLES.find(each => each === author['role']) ?? 'tool'
  if (isRecap(kept)) return null
  const { content, citations, hidden, fallback } = contentFrom(rawAt(kept, 'content'), metadata)
  const isHidden =
    hidden || (metadata['is_visually_hidden_from_conversation'] === true && content?.content_type !== 'thoughts')
  const message: LooseMessage = {
    // Notes that the upstream does not show are kept, and not shown here either.
    role: isHidden ? 'system' : role,
    author_name: textAt(author, 'name')?.slice(0, 500) ?? null,
    model: codeOf(metadata['model_slug']),
    create_time: timeAt(kept, 'create_time'),
    content,
    metadata: metadataFrom(kept, { citations, fallback, isHidden }),
  }
  const drawn = withCanvas(message, textAt(kept, 'recipient'))
  return saysNothing(drawn) || isReport(drawn) ? null : drawn
}

/** What was put on the canvas is said to the person, though a tool was called for it. */
function withCanvas(message: LooseMessage, recipient: string | null): LooseMessage {
  if (message.role !== 'assistant' || message.content === null) return message
  const text = canvasText(recipient, plainOf(message.content))
  if (text === null || message.metadata?.source !== 'openai_web') return message
  const { recipient: _, ...metadata } = message.metadata
  return {
    ...message,
    content: { content_type: 'text', text },
    metadata: Object.keys(metadata).length > 1 ? metadata : null,
  }
}

function saysNothing({ role, content, metadata }: LooseMessage): boolean {
  if (content === null) return role === 'system' || metadata?.fallback_content === undefined
  if (role === 'system') return content.content_type !== 'text' || plainOf(content).trim() === ''
  switch (content.content_type) {
    case 'text':
    case 'thoughts':
      return (
        plainOf(content).trim() === '' &&
        !(metadata?.source === 'openai_web' && (metadata.attachments?.length ?? 0) > 0)
      )
    case 'multimodal_text':
      return content.parts.length === 0
    default:
      return false
  }
}

/** Painters show their pictures and what they were told; memory and canvas have nothing to show but that they were used. */
function isReport(message: LooseMessage): boolean {
  const tool =
    message.role === 'tool'
      ? message.author_name
      : message.metadata?.source === 'openai_web'
        ? message.metadata.recipient
        : null
  if (message.role === 'system' || !isNote(message)) return false
  return tool === 'bio' || (message.role === 'tool' && message.content?.content_type === 'text')
}

function plainOf(content: Content): string {
  return content.content_type === 'thoughts' ? content.text : textOf({ content })
}

function isRecap(message: Raw): boolean {
  return textAt(rawAt(message, 'content'), 'content_type') === 'reasoning_recap'
}

/** What a recap says of the time belongs to the thoughts before it. */
function tellSeconds(mapping: Raw, nodes: Map<string, FileNode>): void {
  for (const node of Object.values(mapping)) {
    const message = isRaw(node) ? rawAt(node, 'message') : {}
    const seconds = isRaw(node) && isRecap(message) ? recapSeconds(message) : null
    if (seconds === null) continue
    const above = thoughtsAbove(nodes, isRaw(node) ? textAt(node, 'parent') : null)
    const [thought] = above?.messages ?? []
    if (above !== null && thought?.content?.content_type === 'thoughts')
      above.messages = [{ ...thought, content: { ...thought.content, seconds } }]
  }
}

/** Past messages that said nothing and past what tools did while it thought, up to what either side said. */
function thoughtsAbove(nodes: ReadonlyMap<string, FileNode>, from: string | null): FileNode | null {
  let node = from === null ? undefined : nodes.get(from)
  for (let steps = 0; node !== undefined && steps < 1000; steps++) {
    const [message] = node.messages
    if (message?.content?.content_type === 'thoughts') return node
    if (message?.role === 'user' || (message?.role === 'assistant' && message.content?.content_type === 'text'))
      return null
    node = node.parent === null ? undefined : nodes.get(node.parent)
  }
  return null
}

/** Our name of a model where there is one, else the upstream's. */
export function codeOf(slug: unknown): string | null {
  if (typeof slug !== 'string') return null
  return Object.hasOwn(CODES, slug) ? (CODES[slug] ?? null) : (ModelCode.safeParse(slug).data ?? null)
}
