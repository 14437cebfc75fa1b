import { readConversationSync, syncConversations } from '#contract/conversationSync.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Reader } from '../conversations.ts'
import type { ConversationSyncService } from './sync.ts'

type Rules = { conversationSync: ConversationSyncService }

export function conversationSyncRoutes(http: Http<Reader>, { conversationSync }: Rules): void {
  http.answer(readConversationSync, () => conversationSync.read())
  http.answer(syncConversations, async ({ user, query }) => {
    await (query.wait === 'false' ? conversationSync.start(user.id) : conversationSync.startAndWait(user.id))
    return null
  })
}
