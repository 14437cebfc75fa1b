import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ConversationRecord, CurrentNode } from '#contract/conversations.ts'
import { isThoughts, type Message } from '#contract/messages.ts'
import { besideBranch, branchOf, leafUnder, pathTo } from '#contract/messageTree.ts'
import { instructionStore } from '#server/instructions/instructions.ts'
import { userStore } from '#server/users/store.ts'
import { askStore } from '#server/asks/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { searchIndex } from '#server/foundation/search/search.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sources } from '#server/sources/source.ts'
import { requireConversationAllowed } from './conversationLimits.ts'
import { sourceOf, toLinks, toMapping, toRecord, withoutThoughts } from './history.ts'
import { keepMessages, searchedOf, messageStore } from './messageStore.ts'
import { type ConversationRow, type ConversationStore, conversationStore, hidden } from './store.ts'

export type Branches = ReturnType<typeof openBranches>

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  sources: Sources
}

/** The branches of a conversation. Only its owner may choose, copy and withdraw; a superuser may only read. */
export function openBranches({ open, clock, configuration, sources }: Dependencies) {
  const search = searchIndex(open.engine)

  return {
    /** Makes the newest leaf under this message the current node, on all devices. */
    choose: (user_id: number, conversation_id: string, message_id: string): Promise<CurrentNode> =>
      open.transaction(async trx => {
        const store = conversationStore(trx)
        await requireOwn(store, user_id, conversation_id)
        const current_node = leafUnder(withoutThoughts(await linksWith(trx, conversation_id, message_id)), message_id)
        await store.change(conversation_id, { current_node })
        return { current_node }
      }),

    /** The copy is independent: its messages have new ids. */
    fork: (user_id: number, conversation_id: string, message_id: string): Promise<ConversationRecord> =>
      open.transaction(async trx => {
        const store = conversationStore(trx)
        const conversation = await requireOwn(store, user_id, conversation_id)
        const source = sourceOf(conversation)
        // One that upstreams keep cannot be copied there.
        if (sources.of(source).keepsConversations) throw new Refusal('forkNotPossible')
        const path = pathTo(toMapping(await messageStore(trx).listOf(conversation_id), source), message_id)
        if (path.length === 0 || path.slice(-1).some(isThoughts)) throw new Refusal('messageNotFound')
        await requireConversationAllowed(trx, user_id, source, { engine: open.engine, configuration: configuration() })
        const now = clock.now()
        const copy = {
          conversation_id: newId(),
          source,
          title: conversation.title,
          user_id,
          model: conversation.current_model,
          thinking_level: conversation.thinking_level,
          current_node: null,
          upstream_id: null,
          now,
        }
        await store.insert(copy)
        const messages = copied(path)
        await instructionStore(trx).copy(conversation_id, copy.conversation_id)
        await keepMessages(trx, copy.conversation_id, messages, now)
        await search.add(trx, searchedOf(copy.conversation_id, messages))
        return toRecord(await requireOwn(store, user_id, copy.conversation_id))
      }),

    /**
     * The question and everything below it are kept but never shown. A conversation of which nothing is left is deleted
     * as well.
     */
    async withdraw(user_id: number, conversation_id: string, message_id: string): Promise<CurrentNode> {
      const current_node = await open.transaction(async trx => {
        const store = conversationStore(trx)
        await userStore(trx).lock(user_id, open.engine)
        const conversation = await requireOwn(store, user_id, conversation_id)
        const links = await linksWith(trx, conversation_id, message_id)
        if (links[message_id]?.role !== 'user') throw new Refusal('messageNotFound')
        const branch = branchOf(links, message_id)
        const running = await askStore(trx).livingIn(conversation_id)
        if (running.some(({ question_id }) => branch.has(question_id))) throw new Refusal('messageIsBeingAnswered')
        await messageStore(trx).withdraw(conversation_id, [...branch], clock.now())
        await search.remove(trx, conversation_id, [...branch])
        const { current_node: before } = conversation
        const current_node =
          before !== null && branch.has(before) ? besideBranch(withoutThoughts(links), message_id) : before
        const isLeft = branch.size < Object.keys(links).length
        await store.change(conversation_id, { current_node, ...(!isLeft && hidden(clock.now(), user_id)) })
        if (!isLeft) await sources.noteChange(trx, { conversation_id }, 'visibility', clock.now())
        return current_node
      })
      sources.sendChanges()
      return { current_node }
    },
  }
}

async function requireOwn(
  store: ConversationStore,
  user_id: number,
  conversation_id: string,
): Promise<ConversationRow> {
  const row = await store.find(conversation_id)
  if (row === undefined || !row.is_valid || row.user_id !== user_id) throw new Refusal('conversationNotFound')
  return row
}

async function linksWith(
  trx: Transaction,
  conversation_id: string,
  message_id: string,
): Promise<ReturnType<typeof toLinks>> {
  const links = toLinks(await messageStore(trx).links(conversation_id))
  if (pathTo(links, message_id).length === 0 || links[message_id]?.is_thoughts === true)
    throw new Refusal('messageNotFound')
  return links
}

function copied(path: readonly Message[]): Message[] {
  const ids = path.map(() => newId())
  return path.map((message, at) => ({ ...message, id: ids[at] ?? newId(), parent: ids[at - 1] ?? null, children: [] }))
}
