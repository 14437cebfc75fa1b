import type { ConversationRecord } from '#contract/conversations.ts'
import type { KeepRequest } from '#contract/keeping.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { namesOf } from '#server/users/store.ts'
import { endingStore } from './endingStore.ts'
import { iso } from './history.ts'
import type { Owned, Reader } from './owned.ts'
import { type ConversationRow, conversationStore } from './store.ts'
import { endedBy, type KeepingTerms } from './terms.ts'

/** Requests of one list. */
const MAX_LISTED = 200

type KeepState = NonNullable<ConversationRecord['keep']>
const STATES: readonly KeepState[] = ['asked', 'kept', 'declined']

/** What came of asking that a conversation stays; null where nobody asked. */
export const keepState = ({ keep_state }: Pick<ConversationRow, 'keep_state'>): KeepState | null =>
  STATES.find(state => state === keep_state) ?? null

type Dependencies = { open: OpenDatabase; clock: Clock; terms: Pick<KeepingTerms, 'readAll' | 'readOf' | 'endOfAged'> }

export type KeepRequests = ReturnType<typeof openKeepRequests>

/** People ask that a conversation stays that would go for its age; an administrator answers. */
export function openKeepRequests({ open, clock, terms }: Dependencies) {
  /** Read under a lock, so that of two who answer one has the last word, and both are written down. */
  const change = (conversation_id: string, decide: (row: ConversationRow) => KeepState | null): Promise<void> =>
    open.transaction(async trx => {
      const store = conversationStore(trx)
      const row = await store.findForUpdate(conversation_id, open.engine)
      if (row === undefined || !row.is_valid) throw new Refusal('conversationNotFound')
      const keep_state = decide(row)
      if (keep_state === null) return
      const keep_time = clock.now()
      // Whoever hears no has as long as whoever is told of the end.
      const notice = { kept: { notice_time: null }, declined: { notice_time: keep_time }, asked: {} }[keep_state]
      await store.change(conversation_id, { keep_state, keep_time, ...notice })
      const action = ({ asked: 'keep_asked', kept: 'kept', declined: 'not_kept' } as const)[keep_state]
      await recordAudit(trx, {
        action: `conversation.${action}`,
        subject: { kind: 'conversation', id: conversation_id },
      })
    })

  return {
    async ask(reader: Reader, { conversation_id, user_id }: Owned): Promise<void> {
      if (user_id !== reader.id) throw new Refusal('conversationNotFound')
      const own = await terms.readOf(user_id)
      await change(conversation_id, row => {
        if (row.keep_state === 'asked' || row.keep_state === 'kept') return null
        if (row.keep_state === 'declined' || terms.endOfAged(row, own) === null) throw new Refusal('nothingToKeep')
        return 'asked'
      })
    },

    async list(): Promise<KeepRequest[]> {
      const rows = await endingStore(open.database).keepAsked(MAX_LISTED)
      const termsOf = await terms.readAll()
      const nameOf = await namesOf(
        open.database,
        rows.map(({ user_id }) => user_id),
      )
      return rows.map(row => ({
        conversation_id: row.conversation_id,
        title: row.title,
        owner: nameOf(row.user_id),
        used: iso(row.update_time ?? row.create_time),
        asked: iso(row.keep_time ?? row.create_time),
        ends_by: endedBy(termsOf(row.user_id)),
      }))
    },

    /** Also of one that was answered: an answer can be changed. */
    answer: (conversation_id: string, keep: boolean): Promise<void> =>
      change(conversation_id, row => {
        if (row.keep_state === null) throw new Refusal('nothingToKeep')
        const answered = keep ? 'kept' : 'declined'
        return row.keep_state === answered ? null : answered
      }),
  }
}
