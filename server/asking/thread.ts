import { ANSWER_SHARE, isInContext, roughTokens } from '#contract/context.ts'
import type { InstructionLayer } from '#contract/instructions.ts'
import { type Message, textOf, withoutPictures } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { iso, toMessage } from '#server/conversations/history.ts'
import { messagePath, messageStore } from '#server/conversations/messageStore.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import type { ContextLimit } from '#server/providers/contextLimit.ts'

/** Rows to read for each message to send: thoughts stand before an answer, and notes of an import beside it. */
const ROWS_FOR_EACH = 4

/** A thread, and how many earlier messages were left out of it because they do not fit the context. */
export type Thread = { messages: Message[]; left_out: number }

type WantedThread = {
  source: Source
  conversation_id: string
  last_id: string
  /** How many messages before the question. */
  count: number
  context_length: number | null
  /** What the model is told first: it stays whatever is left out. */
  before: readonly Message[]
}

/**
 * The thread for the provider: the question and at most `count` messages before it, as many of the latest as fit the
 * context.
 */
export async function readThread(
  open: OpenDatabase,
  { source, conversation_id, last_id, count, context_length, before }: WantedThread,
): Promise<Thread> {
  const rows = await messagePath(open.database, conversation_id, last_id, (count + 1) * ROWS_FOR_EACH)
  const wanted = fromQuestion(latest(inContext(rows.map(row => toMessage(row, source))), count + 1))
  const whole = [...before, ...wanted]
  const messages = fitting(whole, context_length)
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

/**
 * As many of the latest messages as have room in the context, beside the answer. What the system says stays, and so
 * does the question, with the answer that is to be continued: the upstream says when that is too long.
 */
export function fitting(thread: readonly Message[], context_length: number | null): Message[] {
  return context_length === null ? [...thread] : withinTokens(thread, context_length * (1 - ANSWER_SHARE))
}

function withinTokens(thread: readonly Message[], tokens: number): Message[] {
  const begins = thread.findIndex(({ role }) => role !== 'system')
  const system = begins < 0 ? [] : thread.slice(0, begins)
  const said = thread.slice(system.length)
  let room = tokens - tokensOf(system)
  const kept: Message[] = []
  for (const message of said.toReversed()) {
    room -= tokensOf([message])
    if (room < 0 && kept.some(({ role }) => role === 'user')) break
    kept.push(message)
  }
  kept.reverse()
  if (kept.length === said.length) return [...thread]
  // An answer whose question is left out has nothing to say.
  const question = kept.findIndex(({ role }) => role === 'user')
  return [...system, ...(question < 0 ? kept : kept.slice(question))]
}

const tokensOf = (thread: readonly Message[]): number =>
  thread.reduce((sum, message) => sum + roughTokens(withoutPictures(textOf(message))), 0)

/** How many messages of one thread are not in the other, which is its end. */
export const leftOut = (whole: readonly Message[], sent: readonly Message[]): number => whole.length - sent.length

/** What an estimate may be wrong by. */
const SPARE = 0.05

/**
 * A thread that an upstream has found too long, once more without its earliest messages; null where there are none to
 * leave out. What the upstream counts says how far the estimate is to be trusted.
 */
export function shortened(thread: readonly Message[], { most, asked, answer }: ContextLimit): Message[] | null {
  const estimate = tokensOf(thread)
  const ratio = asked === null || estimate === 0 ? 1 : Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, asked / estimate))
  const length = most ?? (estimate * ratio) / 2
  const forAnswer = Math.max(length * ANSWER_SHARE, Math.min(answer ?? 0, length / 2))
  // It was too long: at least one message less.
  const room = Math.min(((length - forAnswer) * (1 - SPARE)) / ratio, estimate - 1)
  const shorter = withinTokens(thread, room)
  return shorter.length < thread.length ? shorter : null
}

/** A count that differs more from the estimate is one of something else. */
const MAX_RATIO = 5
