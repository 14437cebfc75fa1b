import { isInContext } from '#contract/context.ts'
import type { InstructionLayer } from '#contract/instructions.ts'
import type { KeptAttachment, Message } from '#contract/messages.ts'
import type { ModelCapabilities, Source } from '#contract/models.ts'
import { iso, toMessage } from '#server/conversations/history.ts'
import { messagePath, messageStore } from '#server/conversations/messageStore.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { withAnsweredPictures } from './answeredPictures.ts'
import { fitting, type LeftOut, leftOut, withinBytes, withoutEarlier } from './fitting.ts'

/** Rows to read for each message to send: thoughts stand before an answer, and notes of an import beside it. */
const ROWS_FOR_EACH = 4

/** A thread, and what was left out of it because it does not fit the context, or the model does not take it. */
export type Thread = { messages: Message[]; left_out: LeftOut }

/** Of a model: how it is called, and what it takes; null where nobody knows. */
export type AskedModel = { name: string } & Pick<ModelCapabilities, 'context_length' | 'takes_pictures' | 'takes_files'>

type WantedThread = {
  source: Source
  conversation_id: string
  last_id: string
  /** How many messages before the question. */
  count: number
  model: AskedModel
  /** Of all that goes with its questions. */
  max_bytes: number
  /** What the model is told first: it stays whatever is left out. */
  before: readonly Message[]
  /** What there is of these files of the person. */
  picturesOf(ids: readonly string[]): Promise<readonly KeptAttachment[]>
}

/**
 * The thread for the provider: the question and at most `count` messages before it, as many of the latest as fit the
 * context.
 */
export async function readThread(
  open: OpenDatabase,
  { source, conversation_id, last_id, count, model, max_bytes, before, picturesOf }: WantedThread,
): Promise<Thread> {
  const rows = await messagePath(open.database, conversation_id, last_id, rowsFor(count))
  return fittedThread(
    rows.map(row => toMessage(row, source)),
    { count, model, max_bytes, before, picturesOf },
  )
}

/** How many messages of a path are to be read for so many before the question. */
export const rowsFor = (count: number): number => (count + 1) * ROWS_FOR_EACH

/** The same of a path that is read already. */
export async function fittedThread(
  path: readonly Message[],
  { count, model, max_bytes, before, picturesOf }: Omit<WantedThread, 'source' | 'conversation_id' | 'last_id'>,
): Promise<Thread> {
  const wanted = fromQuestion(latest(inContext(path), count + 1))
  const whole = [...before, ...(await withAnsweredPictures(wanted, model.takes_pictures, picturesOf))]
  const messages = fitting(withinBytes(taken(whole, model), max_bytes), model.context_length, model.name)
  return { messages, left_out: leftOut(whole, messages) }
}

/** What the model is told before the first question, as the message that it gets. */
export const instructionMessage = (source: Source, layers: readonly InstructionLayer[], time: number): Message => ({
  id: 'instructions',
  source,
  role: 'system',
  author_name: null,
  model: null,
  create_time: iso(time),
  parent: null,
  children: [],
  content: { content_type: 'text', text: layers.map(({ text }) => text).join('\n\n') },
  metadata: null,
})

/** Without what the model is known not to take of earlier questions, which another model may have answered. */
export const taken = (
  thread: readonly Message[],
  { takes_pictures, takes_files }: Omit<AskedModel, 'name'>,
): Message[] =>
  withoutEarlier(
    thread,
    ({ as }) => (as === 'picture' && takes_pictures === false) || (as === 'file' && takes_files === false),
  )

/** The thread for a source that keeps its conversations itself: the question, or the answer that is to go on. */
export async function readOne(
  database: Database,
  source: Source,
  conversation_id: string,
  message_id: string,
): Promise<Message[]> {
  const row = await messageStore(database).find(conversation_id, message_id)
  return row === undefined ? [] : [toMessage(row, source)]
}

/**
 * The messages of a path that belong into the context. System messages count at the beginning of the conversation only:
 * a later one is a note of an import. The first message that is left becomes the root when only notes stood before it.
 */
export function inContext(path: readonly Message[]): Message[] {
  const isWhole = path[0]?.parent === null
  const begins = path.findIndex(({ role }) => role !== 'system')
  const [first, ...others] = path.filter(
    (message, at) => isInContext(message) && (message.role !== 'system' || (isWhole && (begins < 0 || at < begins))),
  )
  return first === undefined ? [] : [isWhole ? { ...first, parent: null } : first, ...others]
}

/** The latest `count` messages, and more when there is no question among them. */
export function latest(thread: readonly Message[], count: number): Message[] {
  const wanted = Math.max(0, thread.length - count)
  const question = thread.findLastIndex(({ role }) => role === 'user')
  return thread.slice(question < 0 ? wanted : Math.min(wanted, question))
}

/**
 * Drops answers at the start of a thread that was cut: the templates of some models refuse a thread that begins with an
 * answer. The last message always stays.
 */
export function fromQuestion(thread: readonly Message[]): Message[] {
  const begins = thread.findIndex((message, at) => message.role === 'user' || at === thread.length - 1)
  const isWhole = thread[0]?.parent === null
  return thread.filter(({ role }, at) => isWhole || at >= begins || role === 'system')
}
