import { Content, MessageMetadata } from '#contract/messages.ts'
import { ModelCode } from '#contract/models.ts'
import type { ImportedConversation, ImportedMessage } from '#contract/transfer.ts'
import { isRaw, type Raw, rawAt, textAt, timeAt } from './rawValues.ts'
import { storable } from './storable.ts'
import { inTreeOrder, type TreeNode } from './treeOrder.ts'

/** A message without its place in the tree. */
export type LooseMessage = Omit<ImportedMessage, 'id' | 'parent'>

const ROLES = ['system', 'user', 'assistant', 'tool'] as const

/** A history document of ours. */
export function fromOwnExport(raw: Raw): ImportedConversation | null {
  const id = textAt(raw, '_id')
  const mapping = rawAt(raw, 'mapping')
  if (id === null || id === '') return null
  const nodes = new Map<string, TreeNode<LooseMessage>>()
  for (const [key, message] of Object.entries(mapping)) {
    if (isRaw(message)) nodes.set(key, { parent: textAt(message, 'parent'), children: textsIn(message['children']), message: looseMessage(message) })
  }
  return conversationOf(raw, id, nodes, modelIn(raw, 'current_model'))
}

export function conversationOf(
  raw: Raw, id: string, nodes: ReadonlyMap<string, TreeNode<LooseMessage>>, current_model: string | null,
): ImportedConversation {
  const placed = inTreeOrder(nodes).map(({ id: message_id, parent, message }) => ({ id: message_id, parent, ...message }))
  const times = placed.map(message => message.create_time).filter(time => time !== null).toSorted()
  const create_time = timeAt(raw, 'create_time') ?? times[0] ?? new Date().toISOString()
  const messages = timed(placed, create_time)
  const current_node = textAt(raw, 'current_node')
  return {
    id, title: textAt(raw, 'title'), create_time, update_time: timeAt(raw, 'update_time') ?? times.at(-1) ?? create_time,
    current_node: current_node === '' ? null : current_node, current_model, message_count: messages.length, messages,
  }
}

/** A message whose time is not told was said when its parent was, which stands before it. */
function timed(messages: readonly ImportedMessage[], first: string): ImportedMessage[] {
  const times = new Map<string | null, string>()
  return messages.map(message => {
    const create_time = message.create_time ?? times.get(message.parent) ?? first
    times.set(message.id, create_time)
    return { ...message, create_time }
  })
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

function looseMessage(raw: Raw): LooseMessage {
  const content = Content.safeParse(storable(raw['content'] ?? null))
  const metadata = MessageMetadata.safeParse(storable(raw['metadata'] ?? null))
  return {
    role: ROLES.find(role => role === raw['role']) ?? 'tool',
    author_name: textAt(raw, 'author_name'),
    model: modelIn(raw, 'model'),
    create_time: timeAt(raw, 'create_time'),
    content: content.data ?? null,
    // What we cannot read is kept to be shown as it is.
    metadata: content.success || raw['content'] == null ? metadata.data ?? null : { source: 'openai_web', fallback_content: storable(raw['content']) },
  }
}

function modelIn(raw: Raw, key: string): string | null {
  return ModelCode.safeParse(raw[key]).data ?? null
}
