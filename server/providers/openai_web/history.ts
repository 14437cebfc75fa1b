import { setImmediate as nextMacrotask } from 'node:timers/promises'
import type { WebConversationMetadata } from '#contract/conversations.ts'
import { type Message, MessageId } from '#contract/messages.ts'
import { isRecap, recapSeconds } from '#contract/messageForms/words.ts'
import { type Fields, fieldOf, isFields } from '../looseJson.ts'
import type { UpstreamConversation } from '../ports.ts'
import { textIn, timeIn, titleIn } from './reach.ts'
import { storableValue } from './storable.ts'

/** Of a conversation with more messages only the thread that is shown is kept, and of that the end. */
const MAX_MESSAGES = 20_000
/** Messages that are translated, and nodes that are looked at, before others have their turn. */
const BATCH = 500
const NODES = 5_000
const MAX_ENTRIES = 100
const MAX_ID = 200

type Node = { id: string; message: Fields | null; parent: string | null; children: readonly string[] }
/** What a node stands below: the id that messages there have as their parent, and how many messages lead to it. */
type Above = { id: string | null; is_message: boolean; depth: number }
/** A node with a message, where a walk from the roots has found it. */
type HistoryNode = { id: string; message: Fields; parent: string | null; depth: number }

const TOP: Above = { id: null, is_message: false, depth: 0 }

/** A conversation as an upstream gives it. Whatever its tree is like, this ends, with each message once. */
export async function keptConversation(
  answer: Fields,
  toMessage: (given: unknown) => Message | null,
  most = MAX_MESSAGES,
): Promise<UpstreamConversation> {
  const nodes = await nodesIn(answer['mapping'])
  const found = boundedTo(most, await walk(nodes), answer['current_node'])
  const messages: Message[] = []
  const recaps: Recap[] = []
  for (const [at, { id, message, parent }] of found.entries()) {
    if (at % BATCH === BATCH - 1) await nextMacrotask()
    // The node's id counts, whatever its message says.
    const translated = toMessage({ ...message, id })
    if (translated !== null) messages.push({ ...translated, parent })
    if (isRecap(message)) recaps.push({ parent, seconds: recapSeconds(message) })
  }
  addSeconds(messages, recaps)
  return {
    title: titleIn(answer['title']),
    create_time: timeIn(answer['create_time']),
    update_time: timeIn(answer['update_time']),
    messages,
    current_node: currentOf(found, answer['current_node']),
    metadata: metadataIn(answer),
  }
}

/** What a recap says, and the message before it. */
type Recap = { parent: string | null; seconds: number | null }

/** Messages between a recap and its thoughts. */
const MAX_BETWEEN = 100

/** A recap has the seconds of the thoughts before it, unless something was said after them. */
function addSeconds(messages: readonly Message[], recaps: readonly Recap[]): void {
  if (recaps.length === 0) return
  const byId = new Map(messages.map(message => [message.id, message]))
  for (const { parent, seconds } of recaps) {
    let above = byId.get(parent ?? '')
    for (let steps = 0; above !== undefined && steps < MAX_BETWEEN; steps += 1) {
      const { content, role } = above
      if (content?.content_type === 'thoughts') above.content = { ...content, seconds }
      if (content?.content_type === 'thoughts' || role === 'user' || isSaid(above)) break
      above = byId.get(above.parent ?? '')
    }
  }
}

const isSaid = ({ role, content }: Message): boolean => role === 'assistant' && content?.content_type === 'text'

async function nodesIn(mapping: unknown): Promise<Map<string, Node>> {
  const nodes = new Map<string, Node>()
  if (!isFields(mapping)) return nodes
  // Reading it has taken long enough where it is long.
  await nextMacrotask()
  for (const [at, [id, given]] of Object.entries(mapping).entries()) {
    if (at % NODES === NODES - 1) await nextMacrotask()
    if (!isFields(given)) continue
    const { message, parent, children } = given
    nodes.set(id, {
      id,
      message: isFields(message) && MessageId.safeParse(id).success ? message : null,
      parent: typeof parent === 'string' ? parent : null,
      children: Array.isArray(children) ? children.filter(child => typeof child === 'string') : [],
    })
  }
  return nodes
}

/**
 * The nodes with a message, each after its parent. A node stands under the parent that it names; only what cannot be
 * reached so stands where another lists it as a child. Nodes without a message are passed over; the parent of a first
 * message is the node above it, since questions beside it are asked there.
 */
async function walk(nodes: ReadonlyMap<string, Node>): Promise<HistoryNode[]> {
  const below = childrenIn(nodes)
  const seen = new Set<string>()
  const found: HistoryNode[] = []
  /** By those that list them as children. */
  const claimed = new Map<string, Above>()

  const walkFrom = async (first: string, top: Above): Promise<void> => {
    const stack = [{ id: first, above: top }]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { id, above } = next
      const node = nodes.get(id)
      if (node === undefined || seen.has(id)) continue
      seen.add(id)
      if (seen.size % NODES === 0) await nextMacrotask()
      if (node.message !== null) found.push({ id, message: node.message, parent: above.id, depth: above.depth })
      const here = aboveChildrenOf(node, above)
      for (const child of node.children) if (nodes.has(child) && !claimed.has(child)) claimed.set(child, here)
      for (const child of inOrder(below.get(id) ?? [], node).toReversed()) stack.push({ id: child, above: here })
    }
  }

  for (const { id, parent } of nodes.values()) if (parent === null || !nodes.has(parent)) await walkFrom(id, TOP)
  // Where everything stands under something else, it begins with what came first.
  const [first] = nodes.keys()
  if (seen.size === 0 && first !== undefined) await walkFrom(first, TOP)
  // More are claimed while those are walked.
  for (const [id, above] of claimed) await walkFrom(id, above)
  return found
}

/** By the id of the parent that they name. */
function childrenIn(nodes: ReadonlyMap<string, Node>): ReadonlyMap<string, string[]> {
  const below = new Map<string, string[]>()
  for (const { id, parent } of nodes.values()) {
    if (parent === null) continue
    const siblings = below.get(parent)
    if (siblings === undefined) below.set(parent, [id])
    else siblings.push(id)
  }
  return below
}

/** In the order in which their parent lists them; then those that it does not list. */
function inOrder(siblings: readonly string[], { children }: Node): readonly string[] {
  if (siblings.length < 2) return siblings
  const order = new Map(children.map((id, at) => [id, at]))
  return siblings.toSorted((one, other) => (order.get(one) ?? Infinity) - (order.get(other) ?? Infinity) || 0)
}

function aboveChildrenOf({ id, message }: Node, above: Above): Above {
  if (message !== null) return { id, is_message: true, depth: above.depth + 1 }
  return above.is_message || !MessageId.safeParse(id).success ? above : { ...above, id }
}

/** All of them, or of too many those that lead to the current one. */
function boundedTo(most: number, found: readonly HistoryNode[], current: unknown): readonly HistoryNode[] {
  if (found.length <= most) return found
  const byId = new Map(found.map(each => [each.id, each]))
  const thread: HistoryNode[] = []
  let next = byId.get(currentOf(found, current) ?? '')
  while (next !== undefined && thread.length < most) {
    thread.push(next)
    next = next.parent === null ? undefined : byId.get(next.parent)
  }
  return thread.toReversed()
}

/** The message that is said to be the current one; else the deepest, of several the last. */
function currentOf(found: readonly HistoryNode[], current: unknown): string | null {
  let deepest: HistoryNode | null = null
  for (const each of found) {
    if (each.id === current) return each.id
    if (deepest === null || each.depth >= deepest.depth) deepest = each
  }
  return deepest?.id ?? null
}

function metadataIn(answer: Fields): WebConversationMetadata {
  const { moderation_results, plugin_ids, is_archived } = answer
  return {
    source: 'openai_web',
    ...(Array.isArray(moderation_results) && {
      moderation_results: storableValue(moderation_results.slice(0, MAX_ENTRIES)),
    }),
    plugin_ids: idsIn(plugin_ids),
    gizmo_id: gizmoIn(answer),
    is_archived: typeof is_archived === 'boolean' ? is_archived : null,
    conversation_template_id: textIn(answer['conversation_template_id'], MAX_ID),
    ...(typeof answer['is_public'] === 'boolean' && { is_public: answer['is_public'] }),
  }
}

/**
 * The custom GPT that a conversation is had with. Some answers have its id only as that of a template, or at the
 * messages.
 */
function gizmoIn(answer: Fields): string | null {
  const said = textIn(answer['gizmo_id'], MAX_ID)
  if (said !== null && said !== '') return said
  const template = textIn(answer['conversation_template_id'], MAX_ID)
  if (template?.startsWith('g-') === true) return template
  const { mapping, current_node } = answer
  const current = isFields(mapping) && typeof current_node === 'string' ? mapping[current_node] : null
  const ofMessage = textIn(fieldOf(fieldOf(fieldOf(current, 'message'), 'metadata'), 'gizmo_id'), MAX_ID)
  return ofMessage === '' ? null : ofMessage
}

const idsIn = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.slice(0, MAX_ENTRIES).flatMap(id => textIn(id, MAX_ID) ?? []) : null
