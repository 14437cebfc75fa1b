import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
import { type Message, textOf } from '#contract/messages.ts'
import {
  type ImportedConversation,
  type ImportedMessage,
  MAX_IMPORTED_CONVERSATIONS,
  MAX_IMPORTED_MESSAGES,
  MAX_PARTS,
} from '#contract/transfer.ts'

/** Bytes of a call: far below the server's limit, so that it answers other calls in between. */
const BATCH_BYTES = 200_000
/** Bytes of an item, which the server stores in one transaction: other people's asks wait for it. */
const ITEM_BYTES = 60_000
/** A larger message is cut to its text; the server takes a megabyte in one call. */
const MAX_MESSAGE_BYTES = 800_000
const CUT_LENGTH = 200_000

/**
 * Messages of one conversation: its index in the file, the number of the part of a long one, and the index of the first
 * message.
 */
type ImportItem = { index: number; part: number; from: number; conversation: ImportedConversation }
export type ImportBatch = ImportItem[]
/** The messages from `from` on had no room; they become the next part. */
export type Leftover = Pick<ImportItem, 'index' | 'part' | 'from'>

/** Messages that a part may begin earlier, so that it includes the question of its first answer. */
const MAX_BACK = 20

const encoder = new TextEncoder()
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length

/**
 * The contents of each call, in order: later items build on earlier ones. `next` is given what had no room of the batch
 * before.
 */
export function* batchesOf(
  conversations: readonly ImportedConversation[],
): Generator<ImportBatch, undefined, readonly Leftover[] | undefined> {
  let batch: ImportBatch = []
  let size = 0
  const begins = new Map<number, number>()
  const nextParts = (left: readonly Leftover[] | undefined) =>
    (left ?? [])
      .filter(({ part }) => part < MAX_PARTS)
      .map(({ index, part, from }) => ({
        index,
        part: part + 1,
        from: questionBefore(conversations[index], from, begins.get(index) ?? 0),
      }))
      .reverse()
  const waiting: Leftover[] = conversations.map((_, index) => ({ index, part: 1, from: 0 })).reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const conversation = conversations[next.index]
    if (conversation === undefined) continue
    begins.set(next.index, next.from)
    for (const { messages, bytes, from } of itemsOf(conversation, next)) {
      if (batch.length > 0 && (size + bytes > BATCH_BYTES || batch.length >= MAX_IMPORTED_CONVERSATIONS)) {
        const left = yield batch
        batch = []
        size = 0
        waiting.push(...nextParts(left))
        if (left?.some(({ index }) => index === next?.index)) break
      }
      batch.push({ ...next, from, conversation: messages })
      size += bytes
    }
    if (waiting.length === 0 && batch.length > 0) {
      waiting.push(...nextParts(yield batch))
      batch = []
      size = 0
    }
  }
}

/**
 * The index of the question of the first message without room; at least half of what the part before had is not sent
 * again.
 */
function questionBefore(conversation: ImportedConversation | undefined, from: number, begin: number): number {
  const lowest = Math.max(from - MAX_BACK, Math.ceil((begin + from) / 2))
  for (let at = from; at >= lowest && at > begin; at--) if (conversation?.messages[at]?.role === 'user') return at
  return from
}

function* itemsOf(
  whole: ImportedConversation,
  { part: in_parts, from: begin }: Leftover,
): Generator<{ messages: ImportedConversation; bytes: number; from: number }> {
  const { messages, ...head } = whole
  const frame = {
    ...head,
    id: in_parts === 1 ? shortened(head.id) : `${shortened(head.id).slice(0, 190)}#${in_parts}`,
    title: head.title === null ? null : beginningOf(storableText(head.title), 500),
    current_node: shortenedOrNull(head.current_node),
    in_parts,
  }
  let item: ImportedMessage[] = []
  let bytes = bytesOf(frame)
  let from = begin
  for (const [at, message] of messages.entries()) {
    if (at < begin) continue
    const fitting = cut(message)
    const size = bytesOf(fitting)
    if (item.length > 0 && (bytes + size > ITEM_BYTES || item.length >= MAX_IMPORTED_MESSAGES)) {
      yield { messages: { ...frame, messages: item }, bytes, from }
      item = []
      bytes = 0
      from = at
    }
    item.push(fitting)
    bytes += size
  }
  yield { messages: { ...frame, messages: item }, bytes, from }
}

/** The message, cut to the limits of the server. */
function cut(message: ImportedMessage): ImportedMessage {
  const author_name = message.author_name === null ? null : beginningOf(storableText(message.author_name), 500)
  const named = { ...message, author_name, id: shortened(message.id), parent: shortenedOrNull(message.parent) }
  if (bytesOf(named) <= MAX_MESSAGE_BYTES) return named
  const text = textOf(message satisfies Pick<Message, 'content'>) || JSON.stringify(message.metadata)
  return {
    ...named,
    content: { content_type: 'text', text: `${beginningOf(storableText(text), CUT_LENGTH)}…` },
    metadata: null,
  }
}

function shortenedOrNull(id: string | null): string | null {
  return id === null ? null : shortened(id)
}

/** Ids only have to be distinct within the file: the server derives its own. */
function shortened(id: string): string {
  return storableText(id.slice(0, 200)) || '-'
}
