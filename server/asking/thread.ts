import { ANSWER_SHARE, isInContext, roughTokens } from '#contract/context.ts'
import { type Message, textOf, withoutPictures } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { toMessage } from '#server/conversations/history.ts'
import { messagePath } from '#server/conversations/path.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'

/** Rows to read for each message to send: thoughts stand before an answer, and notes of an import beside it. */
const ROWS_FOR_EACH = 4

/**
 * The thread for the provider: the question and at most `count` messages before it, as many of the latest as fit the context.
 */
export async function readThread(
  open: OpenDatabase,
  source: Source,
  conversation_id: string,
  last_id: string,
  count: number,
  context_length: number | null,
): Promise<Message[]> {
  const rows = await messagePath(open.database, conversation_id, last_id, (count + 1) * ROWS_FOR_EACH)
  return fromQuestion(fitting(latest(inContext(rows.map(row => toMessage(row, source))), count + 1), context_length))
}

/** The thread for a source that keeps its conversations itself: the question, or the answer that is to go on. */
export async function readOne(database: Database, conversation_id: string, message_id: string): Promise<Message[]> {
  const row = await messageStore(database).find(conversation_id, message_id)
  return row === undefined ? [] : [toMessage(row, 'openai_web')]
}

/**
 * The messages of a path that belong into the context. System messages count at the beginning of the conversation only: a later one is a note
 * of an import. The first message that is left becomes the root when only notes stood before it.
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
 * Drops answers at the start of a thread that was cut: the templates of some models refuse a thread that begins with an answer. The last
 * message always stays.
 */
export function fromQuestion(thread: readonly Message[]): Message[] {
  const begins = thread.findIndex((message, at) => message.role === 'user' || at === thread.length - 1)
  const isWhole = thread[0]?.parent === null
  return thread.filter(({ role }, at) => isWhole || at >= begins || role === 'system')
}

export function fitting(thread: readonly Message[], context_length: number | null): Message[] {
  if (context_length === null) return [...thread]
  let room = context_length * (1 - ANSWER_SHARE)
  const kept: Message[] = []
  for (const message of thread.toReversed()) {
    room -= roughTokens(withoutPictures(textOf(message)))
    // The question always stays, with the answer that is to be continued: the upstream says when that is too long.
    if (room < 0 && kept.some(({ role }) => role === 'user')) break
    kept.push(message)
  }
  return kept.reverse()
}
