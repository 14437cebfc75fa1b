import { queryClient } from '#web/foundation/queryClient.ts'
import { historyQuery, readListAnew } from './useConversations.ts'

/** The conversation that was deleted or brought back; null: all of them. */
type News = { conversation_id: string | null }

const tabs = new BroadcastChannel('conversations')

/** Tells the other tabs of this browser, which would go on showing what is not so any more. */
export function tellTabs(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  tabs.postMessage(news)
}

// Only that something has happened is taken from a tab; how it is now is read from the server.
tabs.addEventListener('message', ({ data: { conversation_id } }: MessageEvent<News>) => {
  const { queryKey } = conversation_id === null ? { queryKey: ['conversation'] } : historyQuery(conversation_id)
  queryClient.removeQueries({ queryKey, type: 'inactive' })
  void queryClient.invalidateQueries({ queryKey })
  void readListAnew(queryClient)
})
