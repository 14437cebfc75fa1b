import { storableText } from '#contract/storableText.ts'
import type { ImportedConversation, ImportedMessage } from '#contract/transfer.ts'
import { isRaw, type Raw, textAt, textsAt } from '#contract/rawValues.ts'

/** A message without its position in the tree. */
export type LooseMessage = Omit<ImportedMessage, 'id' | 'parent'>

/**
 * A node of a file, with its messages: none when it has nothing to show, several when an answer comes with its
 * thoughts.
 */
export type FileNode = { parent: string | null; children: readonly string[]; messages: LooseMessage[] }

/** The fields of a conversation as a whole. A time is null when the file has none. */
export type Head = Pick<ImportedConversation, 'id' | 'title' | 'current_node' | 'current_model'> & {
  create_time: string | null
  update_time: string | null
}

export function conversationOf(head: Head, nodes: ReadonlyMap<string, FileNode>): ImportedConversation {
  const ordered = inTreeOrder(chained(nodes))
  const times = ordered
    .map(message => message.create_time)
    .filter(time => time !== null)
    .toSorted()
  const create_time = head.create_time ?? times[0] ?? new Date().toISOString()
  const messages = withTimes(ordered, create_time)
  return {
    id: head.id,
    title: head.title,
    create_time,
    update_time: head.update_time ?? times.at(-1) ?? create_time,
    current_node: nearestWithMessage(nodes, head.current_node),
    current_model: head.current_model,
    message_count: messages.length,
    messages,
  }
}

/** The nodes of an object that has them by their ids. */
export function nodesFrom(
  mapping: Raw,
  messagesOf: (node: Raw) => LooseMessage[],
  [parent, children] = ['parent', 'children'],
): Map<string, FileNode> {
  const nodes = new Map<string, FileNode>()
  for (const [id, node] of Object.entries(mapping)) {
    if (isRaw(node))
      nodes.set(id, { parent: textAt(node, parent), children: textsAt(node, children), messages: messagesOf(node) })
  }
  return nodes
}

/** The model of the latest message that names one. */
export function lastModelIn(nodes: ReadonlyMap<string, FileNode>): string | null {
  const messages = [...nodes.values()].flatMap(node => node.messages)
  return messages.findLast(({ model }) => model !== null)?.model ?? null
}

/** A text message, which is all that most formats have. */
export function textMessage(role: LooseMessage['role'], text: string, more: Partial<LooseMessage> = {}): LooseMessage {
  return {
    role,
    author_name: null,
    model: null,
    create_time: null,
    content: { content_type: 'text', text: storableText(text) },
    metadata: null,
    ...more,
  }
}

export function thoughtsMessage(
  text: string,
  seconds: number | null = null,
  more: Partial<LooseMessage> = {},
): LooseMessage {
  return textMessage('assistant', '', {
    content: { content_type: 'thoughts', text: storableText(text), seconds },
    ...more,
  })
}

/** A node with one message, or with none, which is left out. */
type TreeNode = { parent: string | null; children: readonly string[]; message: LooseMessage | null }

/**
 * A node with several messages becomes a chain of nodes. The last one keeps the id, which is what its children call
 * their parent.
 */
function chained(nodes: ReadonlyMap<string, FileNode>): Map<string, TreeNode> {
  const chain = new Map<string, TreeNode>()
  const firstOf = (id: string) => ((nodes.get(id)?.messages.length ?? 0) > 1 ? `${id}/1` : id)
  for (const [id, { parent, children, messages }] of nodes) {
    const last = Math.max(0, messages.length - 1)
    for (let at = 0; at < last; at++) {
      const next = at + 1 === last ? id : `${id}/${at + 2}`
      chain.set(`${id}/${at + 1}`, {
        parent: at === 0 ? parent : `${id}/${at}`,
        children: [next],
        message: messages[at] ?? null,
      })
    }
    chain.set(id, {
      parent: last === 0 ? parent : `${id}/${last}`,
      children: children.map(firstOf),
      message: messages[last] ?? null,
    })
  }
  return chain
}

/**
 * The messages, each after its parent, siblings in their order. The children of a node without a message become
 * children of its parent. Each node is visited once, so that a cycle in a file ends.
 */
function inTreeOrder(nodes: ReadonlyMap<string, TreeNode>): ImportedMessage[] {
  const messages: ImportedMessage[] = []
  const seen = new Set<string>()
  const childrenOf = childLists(nodes)
  const visit = (start: string) => {
    const waiting: { id: string; parent: string | null }[] = [{ id: start, parent: null }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { id, parent } = next
      const node = nodes.get(id)
      if (node === undefined || seen.has(id)) continue
      seen.add(id)
      if (node.message !== null) messages.push({ id, parent, ...node.message })
      const above = node.message === null ? parent : id
      // Reversed, since the last one pushed is visited first.
      for (const child of (childrenOf.get(id) ?? []).toReversed()) waiting.push({ id: child, parent: above })
    }
  }
  for (const [id, { parent }] of nodes) if (parent === null || !nodes.has(parent)) visit(id)
  for (const id of nodes.keys()) visit(id)
  return messages
}

/** The children of each node, in the order in which it lists them; those it does not list come after them. */
function childLists(nodes: ReadonlyMap<string, TreeNode>): Map<string, string[]> {
  const lists = new Map<string, string[]>()
  for (const [id, { children }] of nodes)
    lists.set(
      id,
      [...new Set(children)].filter(child => nodes.get(child)?.parent === id),
    )
  const named = new Set([...lists.values()].flat())
  for (const [id, { parent }] of nodes) if (parent !== null && !named.has(id)) lists.get(parent)?.push(id)
  return lists
}

/** The node itself, or the nearest above it that has a message. */
function nearestWithMessage(nodes: ReadonlyMap<string, FileNode>, id: string | null): string | null {
  const seen = new Set<string>()
  for (let at = id; at !== null && at !== '' && !seen.has(at);) {
    const node = nodes.get(at)
    if (node === undefined) return null
    if (node.messages.length > 0) return at
    seen.add(at)
    at = node.parent
  }
  return null
}

/** A message without a time has that of its parent, which stands before it. */
function withTimes(messages: readonly ImportedMessage[], first: string): ImportedMessage[] {
  const times = new Map<string | null, string>()
  return messages.map(message => {
    const create_time = message.create_time ?? times.get(message.parent) ?? first
    times.set(message.id, create_time)
    return { ...message, create_time }
  })
}
