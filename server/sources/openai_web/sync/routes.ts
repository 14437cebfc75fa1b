import { readConversationSync, syncConversations } from '#contract/conversationSync.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Reader } from '#server/conversations/owned.ts'
import type { ConversationSyncService } from './sync.ts'

export function conversationSyncRoutes<U extends Reader>(http: Http<U>, sync: ConversationSyncService): void {
  http.answer(readConversationSync, () => sync.read())
  http.answer(syncConversations, async ({ user, query }) => {
    await (query.wait === 'false' ? sync.start(user.id) : sync.startAndWait(user.id))
    return null
  })
}
