import type { ImportedConversation, ImportedMessage } from '#contract/transfer.ts'
import { storableText } from './storable.ts'
import { inTreeOrder, type TreeNode } from './treeOrder.ts'

/** A message without its place in the tree. */
export type LooseMessage = Omit<ImportedMessage, 'id' | 'parent'>

/** A node of a file: what it says, in as many messages as it takes. An answer may come with its thoughts, or with nothing. */
export type FileNode = { parent: string | null; children: readonly string[]; messages: LooseMessage[] }

/** What a file says of a conversation as a whole; times are null where it does not. */
export type Head = Pick<ImportedConversation, 'id' | 'title' | 'current_node' | 'current_model'> & {
  create_time: string | null
  update_time: string | null
}

export function conversationOf(head: Head, nodes: ReadonlyMap<string, FileNode>): ImportedConversation {
  const placed = inTreeOrder(chained(nodes)).map(({ id, parent, message }) => ({ id, parent, ...message }))
  const times = placed
    .map(message => message.create_time)
    .filter(time => time !== null)
    .toSorted()
  const create_time = head.create_time ?? times[0] ?? new Date().toISOString()
  const messages = timed(placed, create_time)
  return {
    id: head.id,
    title: head.title,
    create_time,
    update_time: head.update_time ?? times.at(-1) ?? create_time,
    current_node: saidAt(nodes, head.current_node),
    current_model: head.current_model,
    message_count: messages.length,
    messages,
  }
}

/** A text of one side, as most formats have nothing else. */
export function said(role: LooseMessage['role'], text: string, more: Partial<LooseMessage> = {}): LooseMessage {
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

export function thoughts(text: string, seconds: number | null = null, more: Partial<LooseMessage> = {}): LooseMessage {
  return said('assistant', '', { content: { content_type: 'thoughts', text: storableText(text), seconds }, ...more })
}

/** A node with several messages becomes several nodes, of which the last one keeps its id, since its children know it by that. */
function chained(nodes: ReadonlyMap<string, FileNode>): Map<string, TreeNode<LooseMessage>> {
  const chain = new Map<string, TreeNode<LooseMessage>>()
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

/** What is looked at may be a node that says nothing; then it is the nearest above it that does. */
function saidAt(nodes: ReadonlyMap<string, FileNode>, id: string | null): string | null {
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

/** A message whose time is not told was said when its parent was, which stands before it. */
function timed(messages: readonly ImportedMessage[], first: string): ImportedMessage[] {
  const times = new Map<string | null, string>()
  return messages.map(message => {
    const create_time = message.create_time ?? times.get(message.parent) ?? first
    times.set(message.id, create_time)
    return { ...message, create_time }
  })
}
