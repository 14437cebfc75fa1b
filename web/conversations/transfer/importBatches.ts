import { type Message, textOf } from '#contract/messages.ts'
import { type ImportedConversation, type ImportedMessage, MAX_IMPORTED_CONVERSATIONS, MAX_IMPORTED_MESSAGES } from '#contract/transfer.ts'
import { storableText } from './storable.ts'

/** Bytes of a call: small enough that the server answers others in between, far below what it takes at most. */
const BATCH_BYTES = 200_000
/** Of a part, which is written in one transaction: others who ask wait no longer than for that. */
const PART_BYTES = 60_000
/** A message beyond this is cut to a text; the server takes a megabyte at once. */
const LARGEST_MESSAGE = 800_000
const LONGEST_CUT = 200_000

/** A part of a conversation, and which one of the file it is. */
export type ImportPart = { index: number; conversation: ImportedConversation }
export type ImportBatch = ImportPart[]

const encoder = new TextEncoder()
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length

/** What goes into one call each, in order: a later part builds on the earlier ones. */
export function* batchesOf(conversations: readonly ImportedConversation[]): Generator<ImportBatch> {
  let batch: ImportBatch = []
  let size = 0
  for (const [index, conversation] of conversations.entries()) {
    for (const { part, bytes } of partsOf(conversation)) {
      if (batch.length > 0 && (size + bytes > BATCH_BYTES || batch.length >= MAX_IMPORTED_CONVERSATIONS)) {
        yield batch
        batch = []
        size = 0
      }
      batch.push({ index, conversation: part })
      size += bytes
    }
  }
  if (batch.length > 0) yield batch
}

function* partsOf(whole: ImportedConversation): Generator<{ part: ImportedConversation; bytes: number }> {
  const { messages, ...head } = whole
  const frame = { ...head, id: shortened(head.id), title: head.title === null ? null : storableText(head.title.slice(0, 500)), current_node: shortId(head.current_node) }
  let part: ImportedMessage[] = []
  let bytes = bytesOf(frame)
  for (const message of messages) {
    const fitting = cut(message)
    const size = bytesOf(fitting)
    if (part.length > 0 && (bytes + size > PART_BYTES || part.length >= MAX_IMPORTED_MESSAGES)) {
      yield { part: { ...frame, messages: part }, bytes }
      part = []
      bytes = 0
    }
    part.push(fitting)
    bytes += size
  }
  yield { part: { ...frame, messages: part }, bytes }
}

/** As it is, unless it is larger than the server takes or its ids are longer. */
function cut(message: ImportedMessage): ImportedMessage {
  const author_name = message.author_name === null ? null : storableText(message.author_name.slice(0, 500))
  const named = { ...message, author_name, id: shortened(message.id), parent: shortId(message.parent) }
  if (bytesOf(named) <= LARGEST_MESSAGE) return named
  const text = textOf(message satisfies Pick<Message, 'content'>) || JSON.stringify(message.metadata)
  return { ...named, content: { content_type: 'text', text: `${text.slice(0, LONGEST_CUT).toWellFormed()}…` }, metadata: null }
}

function shortId(id: string | null): string | null {
  return id === null ? null : shortened(id)
}

/** Ids are names for the length of the file only; the server makes its own of them. */
function shortened(id: string): string {
  return storableText(id.slice(0, 200)) || '-'
}
