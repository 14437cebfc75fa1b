import { setImmediate } from 'node:timers/promises'
import { failureStore } from '#server/asks/failureStore.ts'
import { askStore } from '#server/asks/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { searchIndex } from '#server/foundation/database/search.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import { messageStore } from '../messageStore.ts'
import type { HideAtUpstream } from '../atUpstream/hiding.ts'
import { filesNamedIn } from '../namedFiles.ts'
import { type ConversationRow, conversationStore, hidden } from '../store.ts'

/** Messages of one transaction. */
const BATCH = 200

export type Vanishing = ReturnType<typeof vanishing>

type Dependencies = {
  open: OpenDatabase
  /** Removes files of these people that were sent to the web service. */
  removeFiles(web_file_ids: readonly string[], uploader_ids: readonly number[]): Promise<void>
  clock: Clock
  hideAtUpstream: HideAtUpstream
}

/**
 * Removes conversations for good (the specification, section 4). What is large goes first and in parts, so that nobody's answer waits for it;
 * with the row goes what is left. The log of asks keeps its numbers. An ask that runs goes on, and nothing of it is stored.
 */
export function vanishing({ open, clock, removeFiles, hideAtUpstream }: Dependencies) {
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
    const store = messageStore(open.heavy())
    const named = (await store.questionsOf(conversation_id)).flatMap(filesNamedIn)
    const found: string[] = []
    for (const id of new Set(named)) if (!(await store.isNamedInAnother(id, conversation_id, user_ids))) found.push(id)
    return found
  }

  /** Removes everything that a hidden conversation holds; when its upstream refuses to hide it, nothing, and gives the refusal. May be repeated. */
  async function empty(conversation: ConversationRow, signal: AbortSignal): Promise<Refusal | null> {
    const refusal = await hideAtUpstream(conversation, signal)
    if (refusal !== null) return refusal
    const { conversation_id, source, user_id } = conversation
    if (source === 'openai_web') {
      // Only files of those who asked in it: an imported message may name anybody's.
      const owners = await askStore(open.heavy()).askersIn(conversation_id)
      const people = user_id === null ? owners : [...new Set([...owners, user_id])]
      const files = people.length === 0 ? [] : await filesOf(conversation_id, people)
      if (files.length > 0) await removeFiles(files, people)
    }
    while (await emptySome(conversation_id)) await setImmediate()
    await failureStore(open.database).forget(conversation_id)
    return null
  }

  return {
    empty,

    /** When the upstream cannot hide the conversation, it stays hidden here and the refusal is thrown. */
    async vanish({ by, conversation }: { by: number; conversation: ConversationRow }): Promise<void> {
      const { conversation_id, is_valid } = conversation
      if (is_valid) await conversationStore(open.database).change(conversation_id, hidden(clock.now(), by))
      const refusal = await empty(conversation, new AbortController().signal)
      if (refusal !== null) throw refusal
      await conversationStore(open.database).remove(conversation_id)
    },
  }
}
