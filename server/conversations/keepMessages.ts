import { isShown, type Message, textOf } from '#contract/messages.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import type { SearchIndex } from '#server/foundation/database/search.ts'
import { conversationStore } from './store.ts'

/** Stores messages of a conversation: their rows, their search terms and the conversation's state, all in one place. */
export function messageKeeper(search: SearchIndex) {
  return async (trx: Transaction, conversation_id: string, messages: readonly Message[], now: number): Promise<void> => {
    const last = messages.at(-1)
    if (last === undefined) return
    const store = conversationStore(trx)
    await Promise.all([
      store.addMessages(conversation_id, messages),
      ...messages.map(message => ({ message_id: message.id, text: searchedText(message) })).filter(({ text }) => text !== '')
        .map(searched => search.add(trx, { conversation_id, ...searched })),
      store.goOn(conversation_id, { current_node: last.id, update_time: now, model: last.model }),
    ])
  }
}
export type KeepMessages = ReturnType<typeof messageKeeper>

/** What the search knows of a message; empty when it is not to be found. */
export function searchedText(message: Pick<Message, 'role' | 'content'>): string {
  return isShown(message) ? textOf(message) : ''
}
