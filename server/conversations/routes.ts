import {
  assignConversation,
  chooseBranch,
  deleteConversation,
  forkConversation,
  generateTitle,
  listAllConversations,
  listConversations,
  readConversation,
  readConversationCache,
  renameConversation,
  restoreConversation,
  searchConversations,
  withdrawQuestion,
} from '#contract/conversations.ts'
import { askToKeep, listDeletedConversations } from '#contract/keeping.ts'
import { openOversight } from '#contract/oversight.ts'
import { exportConversations, importConversations } from '#contract/transfer.ts'
import type { Oversight } from '#server/audit/oversight.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Branches } from './branches.ts'
import type { Conversations } from './conversations.ts'
import type { Owned, Reader } from './owned.ts'
import type { openDeleted } from './deleted.ts'
import type { KeepRequests } from './keepRequests.ts'
import type { openExport, openImport } from './transfer.ts'
import type { openConversationSearch } from './search.ts'

type Rules = {
  conversations: Conversations
  oversight: Pick<Oversight, 'open' | 'requireOpen'>
  branches: Branches
  exportOwn: ReturnType<typeof openExport>
  importOwn: ReturnType<typeof openImport>
  find: ReturnType<typeof openConversationSearch>
  listDeleted: ReturnType<typeof openDeleted>
  keepRequests: Pick<KeepRequests, 'ask'>
  generateTitle(conversation: Owned, message_id: string): Promise<string>
}

export function conversationRoutes(http: Http<Reader>, rules: Rules): void {
  const { conversations, oversight, branches, exportOwn, importOwn, find, generateTitle: generate, listDeleted } = rules
  /** Only our own page asks for thoughts, and only that one knows of reasons. */
  async function requireReadable(user: Reader, id: string, withThoughts: boolean) {
    const conversation = await conversations.requireOwned(user, id)
    await oversight.requireOpen(user, conversation, withThoughts)
    return conversation
  }
  async function history(user: Reader, id: string, withThoughts: boolean) {
    const { conversation, ...copy } = await conversations.upToDate(await requireReadable(user, id, withThoughts))
    return { ...(await conversations.history(user, conversation, withThoughts)), ...copy }
  }
  http.answer(listConversations, ({ user }) => conversations.listOwn(user.id))
  http.answer(listDeletedConversations, ({ user }) => listDeleted(user.id))
  http.answer(listAllConversations, ({ query }) => conversations.listAll(query.valid_only === 'true'))
  http.answer(searchConversations, ({ user, query }) => find(user.id, query.words, Number(query.skip ?? 0)))
  http.answer(readConversation, ({ user, params, query }) => history(user, params.id, query.thoughts === 'true'))
  http.answer(readConversationCache, async ({ user, params, query }) =>
    conversations.history(
      user,
      await requireReadable(user, params.id, query.thoughts === 'true'),
      query.thoughts === 'true',
    ),
  )
  http.answer(openOversight, async ({ user, params, body }) =>
    oversight.open(user, await conversations.requireOwned(user, params.id), body),
  )
  http.answer(renameConversation, async ({ user, params, query }) =>
    conversations.rename(await conversations.requireUsable(user, params.id), query.title),
  )
  http.answer(generateTitle, async ({ user, params, query }) =>
    generate(await conversations.requireUsable(user, params.id), query.message_id),
  )
  http.answer(chooseBranch, ({ user, params, query }) => branches.choose(user.id, params.id, query.message_id))
  http.answer(forkConversation, ({ user, params, query }) => branches.fork(user.id, params.id, query.message_id))
  http.answer(withdrawQuestion, ({ user, params }) => branches.withdraw(user.id, params.id, params.message_id))
  http.answer(restoreConversation, ({ user, params }) => conversations.restore(user, params.id))
  http.answer(askToKeep, async ({ user, params }) => {
    await rules.keepRequests.ask(user, await conversations.requireOwned(user, params.id))
    return null
  })
  http.answer(deleteConversation, async ({ user, params }) => {
    await conversations.delete(user, params.id)
    return null
  })
  http.answer(assignConversation, async ({ user, params }) => {
    await conversations.assign(await conversations.requireOwned(user, params.id), params.user)
    return null
  })
  http.answer(exportConversations, ({ user, query }) => exportOwn(user.id, query.after))
  http.answer(importConversations, async ({ user, body }) => ({
    results: await importOwn(user.id, body.conversations),
  }))
}
