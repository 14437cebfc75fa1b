import { setImmediate } from 'node:timers/promises'
import { failureStore } from '#server/asks/failureStore.ts'
import { askStore } from '#server/asks/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { searchIndex } from '#server/foundation/search/search.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { Sources } from '#server/sources/source.ts'
import { sourceOf } from '../history.ts'
import { messageStore } from '../messageStore.ts'
import { filesNamedIn } from '../fileConversations.ts'
import { type ConversationRow, conversationStore, hidden } from '../store.ts'

/** Messages of one transaction. */
const BATCH = 200

export type Purge = ReturnType<typeof openPurge>

type Dependencies = {
  open: OpenDatabase
  /** Removes files of these people, by the ids that their upstreams gave them. */
  removeFiles(web_file_ids: readonly string[], uploader_ids: readonly number[]): Promise<void>
  clock: Clock
  sources: Pick<Sources, 'of'>
}

/**
 * Removes conversations for good (the specification, section 4). What is large goes first and in parts, so that
 * nobody's answer waits for it; with the row goes what is left. The log of asks keeps its numbers. An ask that runs
 * goes on, and nothing of it is stored.
 */
export function openPurge({ open, clock, removeFiles, sources }: Dependencies) {
  const search = searchIndex(open.engine)

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

  async function filesOf(conversation_id: string, user_ids: readonly number[]): Promise<string[]> {
    const store = messageStore(open.readOnly())
    const named = (await store.questionsOf(conversation_id)).flatMap(filesNamedIn)
    const found: string[] = []
    for (const id of new Set(named)) if (!(await store.isNamedInAnother(id, conversation_id, user_ids))) found.push(id)
    return found
  }

  /**
   * Removes everything that a hidden conversation holds; when its upstream refuses to hide it, nothing, and gives the
   * refusal. May be repeated.
   */
  async function empty(conversation: ConversationRow, signal: AbortSignal): Promise<Refusal | null> {
    const { filesAre, conversations } = sources.of(sourceOf(conversation))
    const refusal = (await conversations?.hide(conversation, signal)) ?? null
    if (refusal !== null) return refusal
    const { conversation_id, user_id } = conversation
    // Files that are here stay their owner’s: they may have gone with other questions, and can be found again.
    if (filesAre === 'upstream') {
      // Only files of those who asked in it: an imported message may name anybody's.
      const owners = await askStore(open.readOnly()).askersIn(conversation_id)
      const uploader_ids = user_id === null ? owners : [...new Set([...owners, user_id])]
      const files = uploader_ids.length === 0 ? [] : await filesOf(conversation_id, uploader_ids)
      if (files.length > 0) await removeFiles(files, uploader_ids)
    }
    // Until the row is gone it says that a part may be missing.
    await conversationStore(open.database).change(conversation_id, { vanish_time: clock.now() })
    while (await emptySome(conversation_id)) await setImmediate()
    await failureStore(open.database).forget(conversation_id)
    return null
  }

  /** One whose upstream does not hide it stays hidden here, whole. */
  async function finish(conversation: ConversationRow, signal: AbortSignal): Promise<Refusal | null> {
    const store = conversationStore(open.database)
    const { conversation_id } = conversation
    const refusal = await empty(conversation, signal)
    if (refusal === null) await store.remove(conversation_id)
    else await store.change(conversation_id, { vanish_time: null })
    return refusal
  }

  return {
    empty,

    /** When the upstream cannot hide the conversation, it stays hidden here and the refusal is thrown. */
    async purge({ by, conversation }: { by: number; conversation: ConversationRow }): Promise<void> {
      const { conversation_id, is_valid } = conversation
      const vanish_time = clock.now()
      const now = { ...(is_valid && hidden(vanish_time, by)), vanish_time }
      await conversationStore(open.database).change(conversation_id, now)
      const refusal = await finish(conversation, new AbortController().signal)
      if (refusal !== null) throw refusal
    },

    /** Finishes what processes that were killed had begun before this time. Gives how many are gone. */
    async finishAll(began_before: number, signal: AbortSignal): Promise<number> {
      let finished = 0
      for (const conversation of await conversationStore(open.database).purgedSince(began_before)) {
        signal.throwIfAborted()
        if ((await finish(conversation, signal)) === null) finished++
      }
      return finished
    },
  }
}
