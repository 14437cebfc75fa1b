import { failureStore } from '#server/asks/failureStore.ts'
import { askStore } from '#server/asks/store.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { searchIndex } from '#server/foundation/search/search.ts'
import { withdrawnStore } from '../endingStore.ts'
import { filesNamedIn } from '../fileConversations.ts'
import { messageStore } from '../messageStore.ts'
import { namingStore } from '../namingStore.ts'
import type { ConversationRow } from '../store.ts'

/** Messages of one transaction or query. */
const BATCH = 200

export type UnnamedFiles = {
  /** Removes files of these people, by their ids here or at their upstreams. Gives how many. */
  removeUnnamed(ids: readonly string[], uploader_ids: readonly number[]): Promise<number>
  lastUsedIn(conversation_id: string, uploader_ids: readonly number[]): Promise<string[]>
}

type Dependencies = { open: OpenDatabase; files: UnnamedFiles }

type NamingMessage = { message_id: string; content: unknown; message_metadata: unknown }

/**
 * Removes the files that only a conversation uses, or some messages of it: those of the people who asked in it, since
 * an imported message may name anybody's. Gives how many.
 */
export function openFileRemoval({ open, files }: Dependencies) {
  const readOnly = () => namingStore(open.readOnly())

  async function* namedIn(conversation_id: string): AsyncGenerator<string> {
    for (let after = ''; ;) {
      const some = await readOnly().someWithFiles(conversation_id, { after, limit: BATCH })
      yield* some.flatMap(filesNamedIn)
      const last = some.at(-1)
      if (last === undefined) return
      after = last.message_id
    }
  }

  return async (
    { conversation_id, user_id }: Pick<ConversationRow, 'conversation_id' | 'user_id'>,
    messages: readonly NamingMessage[] | null = null,
  ): Promise<number> => {
    const askers = await askStore(open.readOnly()).askersIn(conversation_id)
    const uploader_ids = [...new Set([...askers, ...(user_id === null ? [] : [user_id])])]
    if (uploader_ids.length === 0) return 0
    const named = new Set<string>(messages?.flatMap(filesNamedIn) ?? [])
    if (messages === null) {
      for await (const id of namedIn(conversation_id)) named.add(id)
      for (const id of await files.lastUsedIn(conversation_id, uploader_ids)) named.add(id)
    }
    const within = { conversation_id, message_ids: messages?.map(({ message_id }) => message_id) ?? null }
    const only: string[] = []
    for (const id of named) if (!(await readOnly().isNamedBeside(id, within, uploader_ids))) only.push(id)
    return only.length === 0 ? 0 : files.removeUnnamed(only, uploader_ids)
  }
}

/** Removes what was taken back of a conversation before this time. Gives how many messages and files. */
export function openWithdrawnRemoval({ open, files }: Dependencies) {
  const search = searchIndex(open.engine)
  const removeFiles = openFileRemoval({ open, files })
  return async (
    {
      conversation_id,
      upstream_conversation_id,
    }: Pick<ConversationRow, 'conversation_id' | 'upstream_conversation_id'>,
    before: number,
  ): Promise<{ messages: number; files: number }> => {
    const removed = { messages: 0, files: 0 }
    for (;;) {
      const messages = await withdrawnStore(open.database).messages(conversation_id, before, BATCH)
      if (messages.length === 0) return removed
      const ids = messages.map(({ message_id }) => message_id)
      removed.files += await removeFiles({ conversation_id, user_id: null }, messages)
      await open.transaction(
        async trx => {
          await search.remove(trx, conversation_id, ids)
          if (upstream_conversation_id === null) await messageStore(trx).remove(conversation_id, ids)
          else await withdrawnStore(trx).empty(conversation_id, ids)
          await failureStore(trx).forgetOf(conversation_id, ids)
        },
        { lowPriority: true },
      )
      removed.messages += ids.length
    }
  }
}
