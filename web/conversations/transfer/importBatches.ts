import { type Message, textOf } from '#contract/messages.ts'
import {
  type ImportedConversation,
  type ImportedMessage,
  MAX_IMPORTED_CONVERSATIONS,
  MAX_IMPORTED_MESSAGES,
  MAX_PARTS,
} from '#contract/transfer.ts'
import { storableText } from './storable.ts'

/** Bytes of a call: small enough that the server answers others in between, far below what it takes at most. */
const BATCH_BYTES = 200_000
/** Of a part, which is written in one transaction: others who ask wait no longer than for that. */
const PART_BYTES = 60_000
/** A message beyond this is cut to a text; the server takes a megabyte at once. */
const LARGEST_MESSAGE = 800_000
const LONGEST_CUT = 200_000

/** Messages of a conversation, from one of them on, which of the file’s conversations it is, and which of those that a long one becomes. */
export type ImportPart = { index: number; part: number; from: number; conversation: ImportedConversation }
export type ImportBatch = ImportPart[]
/** What found no room: from that message on it goes on as another conversation. */
export type Leftover = Pick<ImportPart, 'index' | 'part' | 'from'>

/** So many messages before the first that found no room a question is looked for, so that its answer does not come without it. */
const NEAR_QUESTION = 20

const encoder = new TextEncoder()
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length

/** What goes into one call each, in order: a later part builds on the earlier ones. After each it is told what of it found no room. */
export function* batchesOf(
  conversations: readonly ImportedConversation[],
): Generator<ImportBatch, undefined, readonly Leftover[] | undefined> {
  let batch: ImportBatch = []
  let size = 0
  const begins = new Map<number, number>()
  const goOn = (left: readonly Leftover[] | undefined) =>
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
    for (const { messages, bytes, from } of partsOf(conversation, next)) {
      if (batch.length > 0 && (size + bytes > BATCH_BYTES || batch.length >= MAX_IMPORTED_CONVERSATIONS)) {
        const left = yield batch
        batch = []
        size = 0
        waiting.push(...goOn(left))
        if (left?.some(({ index }) => index === next?.index)) break
      }
      batch.push({ ...next, from, conversation: messages })
      size += bytes
    }
    if (waiting.length === 0 && batch.length > 0) {
      waiting.push(...goOn(yield batch))
      batch = []
      size = 0
    }
  }
}

/** Not so far back that no more than half of what was taken is new. */
function questionBefore(conversation: ImportedConversation | undefined, from: number, begin: number): number {
  const lowest = Math.max(from - NEAR_QUESTION, Math.ceil((begin + from) / 2))
  for (let at = from; at >= lowest && at > begin; at--) if (conversation?.messages[at]?.role === 'user') return at
  return from
}

function* partsOf(
  whole: ImportedConversation,
  { part: in_parts, from: begin }: Leftover,
): Generator<{ messages: ImportedConversation; bytes: number; from: number }> {
  const { messages, ...head } = whole
  const frame = {
    ...head,
    id: in_parts === 1 ? shortened(head.id) : `${shortened(head.id).slice(0, 190)}#${in_parts}`,
    title: head.title === null ? null : storableText(head.title.slice(0, 500)),
    current_node: shortId(head.current_node),
    in_parts,
  }
  let part: ImportedMessage[] = []
  let bytes = bytesOf(frame)
  let from = begin
  for (const [at, message] of messages.entries()) {
    if (at < begin) continue
    const fitting = cut(message)
    const size = bytesOf(fitting)
    if (part.length > 0 && (bytes + size > PART_BYTES || part.length >= MAX_IMPORTED_MESSAGES)) {
      yield { messages: { ...frame, messages: part }, bytes, from }
      part = []
      bytes = 0
      from = at
    }
    part.push(fitting)
    bytes += size
  }
  yield { messages: { ...frame, messages: part }, bytes, from }
}

/** As it is, unless it is larger than the server takes or its ids are longer. */
function cut(message: ImportedMessage): ImportedMessage {
  const author_name = message.author_name === null ? null : storableText(message.author_name.slice(0, 500))
  const named = { ...message, author_name, id: shortened(message.id), parent: shortId(message.parent) }
  if (bytesOf(named) <= LARGEST_MESSAGE) return named
  const text = textOf(message satisfies Pick<Message, 'content'>) || JSON.stringify(message.metadata)
  return {
    ...named,
    content: { content_type: 'text', text: `${text.slice(0, LONGEST_CUT).toWellFormed()}…` },
    metadata: null,
  }
}

function shortId(id: string | null): string | null {
  return id === null ? null : shortened(id)
}

/** Ids are names for the length of the file only; the server makes its own of them. */
function shortened(id: string): string {
  return storableText(id.slice(0, 200)) || '-'
}
