import { setImmediate } from 'node:timers/promises'
import { failureStore } from '#server/asks/failureStore.ts'
import { askStore } from '#server/asks/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { searchIndex } from '#server/foundation/search/search.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sources } from '#server/sources/source.ts'
import { recordAudit } from '#server/audit/audit.ts'
import { requireNotHeld } from '#server/users/store.ts'
import { sourceOf } from '../history.ts'
import { messageStore } from '../messageStore.ts'
import { endingStore, type Ending } from '../endingStore.ts'
import { type ConversationRow, conversationStore, hidden, SHOWN } from '../store.ts'
import { openFileRemoval, openWithdrawnRemoval, type UnnamedFiles } from './removal.ts'

/** Messages of one transaction. */
const BATCH = 200

export type Purge = ReturnType<typeof openPurge>

type Dependencies = {
  open: OpenDatabase
  files: UnnamedFiles
  clock: Clock
  sources: Pick<Sources, 'of'>
  /** Something was removed. */
  onRemoved(): Promise<unknown>
}

/** `anyway`: also when its upstream goes on showing it. */
type Options = { signal: AbortSignal; anyway?: boolean }
/** Runs what marks the beginning of an end in a transaction, with whatever is to be stored with it. */
export type Begin = (work: (trx: Transaction) => Promise<boolean>) => Promise<boolean>

/** What became of a conversation that was to go: null where it was to go no more. */
type Ended = { refusal: Refusal | null; files: number } | null

/**
 * Removes conversations for good (the specification, section 4). What is large goes first and in parts, so that
 * nobody's answer waits for it; with the row goes what is left. The log of asks keeps its numbers. An ask that runs
 * goes on, and nothing of it is stored.
 */
export function openPurge({ open, clock, files, sources, onRemoved }: Dependencies) {
  const search = searchIndex(open.engine)
  const removeFiles = openFileRemoval({ open, files })

  /** Some of its messages; false when there are none. */
  const emptySome = (conversation_id: string): Promise<boolean> =>
    open.transaction(
      async trx => {
        const ids = await messageStore(trx).someIds(conversation_id, BATCH)
        if (ids.length === 0) return false
        await search.remove(trx, conversation_id, ids)
        await messageStore(trx).remove(conversation_id, ids)
        return true
      },
      { lowPriority: true },
    )

  async function refusalOf(
    conversation: ConversationRow,
    { signal, anyway = false }: Options,
  ): Promise<Refusal | null> {
    const askers = await askStore(open.database).askersIn(conversation.conversation_id)
    try {
      await requireNotHeld(open.database, [conversation.user_id, ...askers])
    } catch (cause) {
      if (cause instanceof Refusal) return cause
      throw cause
    }
    const refusal = (await sources.of(sourceOf(conversation)).conversations?.hide(conversation, signal)) ?? null
    return anyway ? null : refusal
  }

  /**
   * Removes everything that a hidden conversation holds; when its upstream refuses to hide it, nothing, and gives the
   * refusal. May be repeated.
   */
  async function empty(
    conversation: ConversationRow,
    options: Options,
  ): Promise<{ refusal: Refusal | null; files: number }> {
    const refusal = await refusalOf(conversation, options)
    if (refusal !== null) return { refusal, files: 0 }
    const { conversation_id } = conversation
    const removed = await removeFiles(conversation)
    // Until the row is gone it says that a part may be missing.
    await conversationStore(open.database).change(conversation_id, { vanish_time: clock.now() })
    while (await emptySome(conversation_id)) await setImmediate()
    await failureStore(open.database).forget(conversation_id)
    return { refusal: null, files: removed }
  }

  /** One whose upstream does not hide it stays hidden here, whole. */
  async function finish(conversation: ConversationRow, options: Options) {
    const store = conversationStore(open.database)
    const { conversation_id } = conversation
    const emptied = await empty(conversation, options)
    if (emptied.refusal === null) await store.remove(conversation_id)
    else await store.change(conversation_id, { vanish_time: null })
    return emptied
  }

  return {
    removeWithdrawn: openWithdrawnRemoval({ open, files }),

    empty: async (conversation: ConversationRow, signal: AbortSignal) =>
      (await empty(conversation, { signal })).refusal,

    /** When the upstream cannot hide the conversation, it stays hidden here and the refusal is thrown. */
    async purge({ by, conversation }: { by: number; conversation: ConversationRow }): Promise<void> {
      const { conversation_id, is_valid, user_id } = conversation
      await requireNotHeld(open.database, [user_id])
      const vanish_time = clock.now()
      const now = { ...(is_valid && hidden(vanish_time, by)), vanish_time }
      await open.transaction(async trx => {
        await conversationStore(trx).change(conversation_id, now)
        const subject = { kind: 'conversation', id: conversation_id } as const
        await recordAudit(trx, { action: 'conversation.deleted', subject, after: { for_good: true } })
      })
      const { refusal } = await finish(conversation, { signal: new AbortController().signal })
      if (refusal !== null) throw refusal
      await onRemoved()
    },

    /**
     * Removes one that ends by itself, unless that has changed meanwhile. One that was not deleted by anybody is shown
     * again when its upstream refuses.
     */
    async end(
      conversation: ConversationRow,
      ending: Ending,
      { begin, ...options }: Options & { begin: Begin },
    ): Promise<Ended> {
      const { id, conversation_id, notice_time } = conversation
      if (!(await begin(trx => endingStore(trx).beginEnd(id, ending, clock.now())))) return null
      const ended = await finish(conversation, options)
      if (ended.refusal !== null && ending.kind === 'aged')
        await conversationStore(open.database).change(conversation_id, { ...SHOWN, notice_time })
      return ended
    },

    /** Finishes what processes that were killed had begun before this time. Gives how many are gone. */
    async finishAll(began_before: number, signal: AbortSignal): Promise<number> {
      let finished = 0
      for (const conversation of await conversationStore(open.database).purgedSince(began_before)) {
        signal.throwIfAborted()
        if ((await finish(conversation, { signal })).refusal === null) finished++
      }
      return finished
    },
  }
}
