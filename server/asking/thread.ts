import { type Message, textOf } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { ANSWER_SHARE, roughTokens } from '#contract/tokens.ts'
import { toMessage } from '#server/conversations/history.ts'
import { messagePath } from '#server/conversations/path.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'

/**
 * What goes to the provider: the question, and at most `count` of the messages that lead to it, as many of the latest as the
 * context holds.
 */
export async function readThread(
  open: OpenDatabase, source: Source, conversation_id: string, last_id: string, count: number, context_length: number | null,
): Promise<Message[]> {
  const rows = await messagePath(open.database, conversation_id, last_id, count + 1)
  return fromQuestion(fitting(rows.map(row => toMessage(row, source)), context_length))
}

/**
 * Of a thread that was cut no answer goes without its question: the templates of some models refuse a thread that begins with one.
 * Its last message always goes.
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
    room -= roughTokens(textOf(message))
    // The question always goes, with the answer to it that is to go on: that it is too long is for the upstream to say.
    if (room < 0 && kept.some(({ role }) => role === 'user')) break
    kept.push(message)
  }
  return kept.reverse()
}
