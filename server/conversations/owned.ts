import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type ConversationRow, conversationStore, isVanishing } from './store.ts'

/** Who asks for a conversation. */
export type Reader = { id: number; is_superuser: boolean }

declare const owned: unique symbol
/** A conversation that the reader may see and change; only `requireAnyOwned` makes one. */
export type Owned = ConversationRow & { readonly [owned]: true }

/** Finds conversations for whoever may see them. */
export function openOwned({ database }: Pick<OpenDatabase, 'database'>) {
  /**
   * One's own, also when it is deleted. Somebody else's and an unknown one are the same: not found. Superusers see all.
   */
  async function requireAnyOwned(reader: Reader, conversation_id: string): Promise<Owned> {
    const row = await conversationStore(database).find(conversation_id)
    const isTheirs = row !== undefined && row.user_id === reader.id && !isVanishing(row)
    if (row === undefined || (!reader.is_superuser && !isTheirs)) throw new Refusal('conversationNotFound')
    return row as Owned // only this function makes one
  }

  /** A deleted one is not found either, but by superusers. */
  async function requireOwned(reader: Reader, conversation_id: string): Promise<Owned> {
    const conversation = await requireAnyOwned(reader, conversation_id)
    if (!conversation.is_valid && !reader.is_superuser) throw new Refusal('conversationNotFound')
    return conversation
  }

  return { requireAnyOwned, requireOwned }
}
