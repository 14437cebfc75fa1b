import { queryClient } from '#web/foundation/queryClient.ts'
import { historyQuery, refreshList, updateCachedTitle } from './useConversations.ts'

type RemovalListener = (conversation_id: string | null) => void

const removalListeners: RemovalListener[] = []

/**
 * Called when a conversation has been deleted in this tab; null means all of them. For subscribers that live as long as
 * the page.
 */
export function onRemoval(listener: RemovalListener): void {
  removalListeners.push(listener)
}

export function notifyRemoval(conversation_id: string | null): void {
  for (const listener of removalListeners) listener(conversation_id)
}

/**
 * The conversation that is new, or was deleted or restored, null meaning all of them; with a title, it has only been
 * named.
 */
type Change = { conversation_id: string | null } | { conversation_id: string; title: string }

const tabs = new BroadcastChannel('conversations')

/** Notifies the other tabs of this browser. */
export function notifyTabs(change: Change): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  tabs.postMessage(change)
}

// Except for a title, another tab is only told which conversation has changed; it reads the state from the server.
tabs.addEventListener('message', ({ data }: MessageEvent<Change>) => {
  if ('title' in data) updateCachedTitle(queryClient, data.conversation_id, data.title)
  else refreshHistory(data.conversation_id)
  // A request that is under way may return the former list.
  void refreshList(queryClient)
})

function refreshHistory(conversation_id: string | null): void {
  const { queryKey } = conversation_id === null ? { queryKey: ['conversation'] } : historyQuery(conversation_id)
  queryClient.removeQueries({ queryKey, type: 'inactive' })
  void queryClient.invalidateQueries({ queryKey })
}
