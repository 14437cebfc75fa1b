import type { RefusalKey } from '#contract/refusals.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import type { RowOf } from '#server/foundation/database/schema/tables.ts'
import type { Refusal } from '#server/foundation/refusal.ts'

export type ConversationRow = RowOf<typeof tables.conversations>

/** Which conversations: by their ids, by the ids of their rows, or all of one deletion. */
export type Changed = { conversation_id: string } | { ids: readonly number[] } | { deletion_id: number }

/** What a change is about: the title, or whether the conversation is shown. */
export type ChangedPart = 'title' | 'visibility'

/** What a source does for conversations of which its upstreams have a copy. Those without a copy are nothing to it. */
export type ConversationPorts = {
  /** Why their owner, who is nobody with null, may only read these; null for one of which they may do more. */
  closedTo(
    user_id: number | null,
    rows: readonly Pick<ConversationRow, 'source_id'>[],
  ): Promise<(row: Pick<ConversationRow, 'source_id'>) => RefusalKey | null>

  /** Brings what is stored up to date with the upstream copy. Gives why that could not be done. Does not reject. */
  refresh(row: ConversationRow, hasStored: boolean): Promise<Refusal | null>

  /** Notes in the transaction of a change that the upstreams are to be told. */
  noteChange(trx: Transaction, changed: Changed, part: ChangedPart, now: number): Promise<unknown>
  /** Tells them, in the background. */
  sendChanges(): void

  /** Hides the upstream copy now. Gives the refusal when that fails. */
  hide(row: ConversationRow, signal: AbortSignal): Promise<Refusal | null>

  /**
   * The title that the upstream makes for a conversation that begins with this answer; null where it makes none.
   * Refuses where it cannot be asked.
   */
  makeTitle(row: ConversationRow, message_id: string): Promise<string | null>
}
