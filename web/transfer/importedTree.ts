import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
import type { ImportedConversation, ImportedMessage } from '#contract/transfer.ts'
import { isRaw, type Raw, someTextAt, textAt, textsAt } from '#contract/rawValues.ts'
import type { MessageMetadata } from '#contract/messages.ts'
import { ModelCode } from '#contract/models.ts'
import { inCharacters } from '#contract/messageForms/marks.ts'

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

// Shared by the readers of other products' formats.

/** A page that an answer cites, and the index of the citation in the text; null: behind the last word. */
export type Cited = { url: string; title: string | null; text?: string | null; at: number | null }

/** The product's name of the model; null when it cannot be a model code. */
export function modelCodeOf(name: string | null): string | null {
  return name === null ? null : (ModelCode.safeParse(name).data ?? null)
}

export function citationMetadata(text: string, cited: readonly Cited[]): MessageMetadata | null {
  if (cited.length === 0) return null
  const end = text.trimEnd().length
  const citations = cited.map(({ url, title, text: quote = null, at }) => ({
    start_ix: at ?? end,
    end_ix: at ?? end,
    metadata: {
      url: storableText(url),
      title: title === null ? null : storableText(title),
      text: quote === null ? null : storableText(quote),
    },
  }))
  return {
    source: 'openai_web',
    citations: inCharacters(
      text,
      citations.toSorted((a, b) => a.start_ix - b.start_ix),
    ),
  }
}

/** Attachments by their names: an export has no files. */
export function attachmentMetadata(files: readonly Raw[]): MessageMetadata | null {
  const names = files.map(file => someTextAt(file, 'file_name', 'name', 'filename')).filter(name => name !== null)
  const attachments = names
    .slice(0, 100)
    .map((name, at) => ({ id: `named:${at}`, name: beginningOf(storableText(name), 500) }))
  return attachments.length === 0 ? null : { source: 'openai_web', attachments }
}

/** A question; none when it has neither a text nor files. */
export function question(text: string, files: readonly Raw[], create_time: string | null): LooseMessage[] {
  const metadata = attachmentMetadata(files)
  return text.trim() === '' && metadata === null ? [] : [textMessage('user', text, { create_time, metadata })]
}

/** An answer, and before it the thoughts that came with it. */
export function answer(
  text: string,
  more: Partial<LooseMessage>,
  thought: { text: string; seconds: number | null } | null = null,
): LooseMessage[] {
  const { model = null, create_time = null } = more
  const messages: LooseMessage[] = []
  if (thought !== null && thought.text.trim() !== '')
    messages.push(thoughtsMessage(thought.text.trim(), thought.seconds, { model, create_time }))
  if (text.trim() !== '') messages.push(textMessage('assistant', text, more))
  return messages
}

/**
 * Replaces each block from a tag that matches `opening` to `closing`; one for which `write` gives null stays. One pass
 * over the text.
 */
export function withBlocks(
  text: string,
  opening: RegExp,
  closing: string,
  write: (attributes: string, inside: string) => string | null,
): string {
  const pieces: string[] = []
  const search = new RegExp(opening.source, 'gi')
  let from = 0
  for (let open = search.exec(text); open !== null; open = search.exec(text)) {
    const begin = open.index + open[0].length
    const end = text.indexOf(closing, begin)
    if (end < 0) break
    const written = write(open[1] ?? '', text.slice(begin, end))
    if (written === null) continue
    pieces.push(text.slice(from, open.index), written)
    from = end + closing.length
    search.lastIndex = from
  }
  return pieces.join('') + text.slice(from)
}
