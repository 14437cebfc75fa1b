import { queryClient } from '#web/foundation/queryClient.ts'
import { historyQuery, readListAnew, takeTitle } from './useConversations.ts'

/** The conversation that was deleted or brought back, null being all of them; with a title, it has only been renamed. */
type News = { conversation_id: string | null } | { conversation_id: string; title: string }

const tabs = new BroadcastChannel('conversations')

/** Tells the other tabs of this browser, which would go on showing what is not so any more. */
export function tellTabs(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  tabs.postMessage(news)
}

// Except for a title, only that something has happened is taken from a tab; how it is now is read from the server.
tabs.addEventListener('message', ({ data }: MessageEvent<News>) => {
  if ('title' in data) takeTitle(queryClient, data.conversation_id, data.title)
  else readAnew(data.conversation_id)
  // One that is on its way may be older.
  void readListAnew(queryClient)
})

function readAnew(conversation_id: string | null): void {
  const { queryKey } = conversation_id === null ? { queryKey: ['conversation'] } : historyQuery(conversation_id)
  queryClient.removeQueries({ queryKey, type: 'inactive' })
  void queryClient.invalidateQueries({ queryKey })
}
