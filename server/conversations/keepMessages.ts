import { isShown, isThoughts, type Message } from '#contract/messages.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { searchedText, type SearchedMessage } from '#server/foundation/search/search.ts'
import { messageStore } from './messageStore.ts'
import { type ConversationRow, conversationStore } from './store.ts'

/**
 * Stores messages of a conversation and its state, and gives its row as it is then; thoughts without an answer leave
 * that as it was. The caller indexes them (`searchedOf`), or queues them for the search, at the end of the transaction.
 */
export async function keepMessages(
  trx: Transaction,
  conversation_id: string,
  messages: readonly Message[],
  now: number,
  model = messages.at(-1)?.model ?? null,
): Promise<ConversationRow | undefined> {
  const last = messages.at(-1)
  if (last === undefined) return undefined
  const store = conversationStore(trx)
  const [goesOn] = await Promise.all([
    isThoughts(last) ? undefined : store.goOn(conversation_id, { current_node: last.id, update_time: now, model }),
    messageStore(trx).add(conversation_id, messages),
  ])
  return goesOn
}

/** What the search indexes of messages: the text of those that are shown, without pictures. */
export function searchedOf(
  conversation_id: string,
  messages: readonly Pick<Message, 'id' | 'role' | 'content'>[],
): SearchedMessage[] {
  return messages
    .filter(isShown)
    .map(message => ({ conversation_id, message_id: message.id, text: searchedText(message) }))
    .filter(({ text }) => text !== '')
}
