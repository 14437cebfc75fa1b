import type { DeletedConversations } from '#contract/keeping.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { endingStore } from './endingStore.ts'
import { iso, sourceOf } from './history.ts'
import type { KeepingTerms } from './terms.ts'

/** Conversations of one list. */
const MAX_LISTED = 1_000

type Dependencies = { open: OpenDatabase; terms: Pick<KeepingTerms, 'readOf' | 'endOfDeleted'> }

/** What a person has deleted and can bring back. */
export function openDeleted({ open, terms }: Dependencies) {
  return async (user_id: number): Promise<DeletedConversations> => {
    const own = await terms.readOf(user_id)
    const rows = await endingStore(open.database).deletedOf(user_id, MAX_LISTED)
    return {
      days: own.deleted_days,
      conversations: rows.map(row => {
        const ends = terms.endOfDeleted(row, own)
        return {
          conversation_id: row.conversation_id,
          title: row.title,
          source: sourceOf(row),
          model: row.current_model,
          deleted: row.hide_time === null ? null : iso(row.hide_time),
          ends: ends === null ? null : iso(ends),
        }
      }),
    }
  }
}
