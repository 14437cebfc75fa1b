import { isShown, type Message, textOf } from '#contract/messages.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import type { SearchIndex } from '#server/foundation/database/search.ts'
import { conversationStore } from './store.ts'

/** Stores messages of a conversation: their rows, their search terms and the conversation's state, all in one place. */
export function messageKeeper(search: SearchIndex) {
  async function index(trx: Transaction, conversation_id: string, messages: readonly Message[]): Promise<void> {
    const searched = messages.map(message => ({ message_id: message.id, text: searchedText(message) })).filter(({ text }) => text !== '')
    await Promise.all(searched.map(message => search.add(trx, { conversation_id, ...message })))
  }

  return {
    /** For messages that were stored without it. */
    index,

    async keep(trx: Transaction, conversation_id: string, messages: readonly Message[], now: number): Promise<void> {
      const last = messages.at(-1)
      if (last === undefined) return
      const store = conversationStore(trx)
      await Promise.all([
        store.addMessages(conversation_id, messages),
        index(trx, conversation_id, messages),
        store.goOn(conversation_id, { current_node: last.id, update_time: now, model: last.model }),
      ])
    },
  }
}
export type MessageKeeper = ReturnType<typeof messageKeeper>

/** What the search knows of a message; empty when it is not to be found. */
export function searchedText(message: Pick<Message, 'role' | 'content'>): string {
  return isShown(message) ? textOf(message) : ''
}
