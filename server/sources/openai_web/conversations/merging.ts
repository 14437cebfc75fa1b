import { isDeepStrictEqual } from 'node:util'
import { type Content, isThoughts, type Message, MessageId, type MessageMetadata } from '#contract/messages.ts'
import type { UpstreamConversation } from '#server/providers/ports.ts'
import type { MessageRow } from '#server/conversations/messageStore.ts'
import { MESSAGE_FORMS } from '#contract/messageForms/messageForms.ts'

/** What a conversation gets from its upstream. */
type Merged = {
  /** Messages that were not stored, parents first. */
  added: Message[]
  /** Stored messages of which the upstream has more. */
  changed: Message[]
  /** The parents of stored messages, by the ids of these. */
  parents: Map<string, string>
  /** The end of the thread that is shown; left out where that stays. */
  current_node?: string
}

type Stored = Pick<
  MessageRow,
  'message_id' | 'parent' | 'role' | 'content' | 'message_metadata' | 'model' | 'withdraw_time'
>

/** Messages and bytes that a conversation may still take. */
export type Bounds = { messages: number; bytes: number }

/**
 * Joins what an upstream has of a conversation with what is stored of it. Nothing that is stored is lost: what the
 * upstream has not got stays, what it has less of stays as it is, and what follows a withdrawn message is withdrawn
 * with it.
 */
export function merged(
  rows: readonly Stored[],
  kept: UpstreamConversation,
  current: string | null,
  room: Bounds,
): Merged {
  const stored = new Map(rows.map(row => [row.message_id, row]))
  const withdrawn = new Set(rows.filter(row => row.withdraw_time !== null).map(row => row.message_id))
  const added = new Map<string, Message>()
  const changed: Message[] = []
  const parents = new Map<string, string>()
  const isKnown = (id: string) => stored.has(id) || added.has(id)
  let bytes = 0
  for (const given of kept.messages) {
    const message = plain(given)
    const parent = message.parent !== null && isKnown(message.parent) ? message.parent : null
    const row = stored.get(message.id)
    if (row !== undefined) {
      // What is left of a withdrawn message only says that it was there.
      const better = withdrawn.has(row.message_id) ? null : betterOf(row, message)
      if (better !== null) changed.push(better)
      if (parent !== null && parent !== row.parent) parents.set(row.message_id, parent)
      continue
    }
    if (added.has(message.id) || !MessageId.safeParse(message.id).success) continue
    if (message.parent !== null && withdrawn.has(message.parent)) {
      withdrawn.add(message.id)
      continue
    }
    bytes += JSON.stringify([message.content, message.metadata]).length
    if (added.size >= room.messages || bytes > room.bytes) break
    added.set(message.id, { ...message, parent, children: [] })
  }
  const safe = isTree(rows, parents) ? parents : new Map<string, string>()
  const current_node = currentOf(kept.current_node, current, { stored, added, withdrawn })
  return { added: [...added.values()], changed, parents: safe, ...(current_node !== null && { current_node }) }
}

/** As it comes back from the database. */
function plain(message: Message): Message {
  const { content, metadata }: Pick<Message, 'content' | 'metadata'> = JSON.parse(
    JSON.stringify({ content: message.content, metadata: message.metadata }),
  )
  return { ...message, content, metadata }
}

/** The stored message with what the upstream has more of it; null where there is nothing. */
function betterOf(row: Stored, message: Message): Message | null {
  if (row.role !== message.role) return null
  // Both were checked when they were stored.
  const [content, metadata] = [row.content as Content | null, row.message_metadata as MessageMetadata | null]
  const isSame = isDeepStrictEqual(content, message.content)
  // What was stored before its kind could be read is longer than what it says.
  const known = MESSAGE_FORMS.openai_web.read({ ...row, author_name: null }, { content, metadata }).content
  const isMore = !isSame && sizeOf(message.content) >= sizeOf(known)
  if (!isSame && !isMore) return null
  const next = { ...metadata, ...present(message.metadata), source: 'openai_web' as const }
  // The upstream has the rest of an answer that was incomplete here.
  const whole = isMore ? without(next, 'ending', 'failure') : next
  if (isSame && isDeepStrictEqual(metadata, whole)) return null
  return { ...message, content: message.content, metadata: whole }
}

const sizeOf = (content: Content | null): number => (content === null ? 0 : JSON.stringify(content).length)

const present = (metadata: MessageMetadata | null): Record<string, unknown> =>
  Object.fromEntries(Object.entries(metadata ?? {}).filter(([, value]) => value !== null && value !== undefined))

function without<T extends object>(fields: T, ...names: string[]): T {
  // the names are optional in every T it is called with
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as T
}

/** Whether every stored message still leads to a beginning, with these parents in place of its own. */
function isTree(rows: readonly Stored[], parents: ReadonlyMap<string, string>): boolean {
  if (parents.size === 0) return true
  const parentOf = new Map(rows.map(row => [row.message_id, parents.get(row.message_id) ?? row.parent]))
  const leads = new Set<string>()
  for (const { message_id } of rows) {
    const path = new Set<string>()
    for (let id: string | null | undefined = message_id; id != null && !leads.has(id); id = parentOf.get(id)) {
      if (path.has(id)) return false
      path.add(id)
    }
    for (const id of path) leads.add(id)
  }
  return true
}

type KnownTree = {
  stored: ReadonlyMap<string, Stored>
  added: ReadonlyMap<string, Message>
  withdrawn: ReadonlySet<string>
}

/**
 * The new current node: the upstream's, if the conversation has gone on there. Otherwise the branch that somebody chose
 * here stays.
 */
function currentOf(theirs: string | null, ours: string | null, { stored, added, withdrawn }: KnownTree): string | null {
  if (theirs === null || withdrawn.has(theirs)) return null
  const message = added.get(theirs)
  if (message !== undefined) return isThoughts(message) ? null : theirs
  return ours === null && stored.has(theirs) ? theirs : null
}

/** The model of the latest message that leads to this one and has a model. */
export function modelAt(messages: readonly Pick<Message, 'id' | 'parent' | 'model'>[], at: string): string | null {
  const byId = new Map(messages.map(message => [message.id, message]))
  const seen = new Set<string>()
  for (let message = byId.get(at); message !== undefined && !seen.has(message.id);) {
    if (message.model !== null) return message.model
    seen.add(message.id)
    message = message.parent === null ? undefined : byId.get(message.parent)
  }
  return null
}
