import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type ConversationHistory, type ConversationRecord, listConversations } from '#contract/conversations.ts'
import { call } from '#web/foundation/call.ts'
import { readReadableConversation } from '#web/messages/readableHistory.ts'
import { prepareHistory } from '#web/thread/turnWindow.ts'
import { queryClient } from '#web/foundation/queryClient.ts'

export const listQuery = queryOptions({
  queryKey: ['conversations'],
  queryFn: ({ signal }) => call(listConversations, {}, { signal }),
  meta: { quiet: true },
})

export function historyQuery(id: string) {
  return queryOptions({
    queryKey: ['conversation', id],
    queryFn: async ({ signal }) => {
      return prepareHistory(
        await call(readReadableConversation, { params: { id }, query: { thoughts: 'true' } }, { signal }),
      )
    },
    meta: { quiet: true },
  })
}

/** The first part of the keys of search results. */
export const SEARCH_KEY = 'search'

/** After conversations were deleted or restored: refetches the list, and the search results. */
export function refreshList(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: [SEARCH_KEY] })
  return client.invalidateQueries(listQuery)
}

/** Refetches everything about conversations, because any may have changed, as after an import. */
export function refreshAll(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['conversation'] })
  void refreshList(client)
}

/** Milliseconds after which the list is read again while something in it waits until it is quiet. */
const QUIET_POLL_MS = 15_000

export function useConversations() {
  return useQuery({
    ...listQuery,
    refetchInterval: ({ state }) => (state.data?.some(({ quiet_ask }) => quiet_ask) === true ? QUIET_POLL_MS : false),
  })
}

export function updateCachedTitle(client: QueryClient, id: string, title: string): void {
  client.setQueryData(listQuery.queryKey, records =>
    records?.map(record => (record.conversation_id === id ? { ...record, title } : record)),
  )
  client.setQueryData(historyQuery(id).queryKey, history => history && { ...history, title })
}

/** A conversation that has just been stored or asked in goes to the top of the list. */
export function updateCachedConversation(
  client: QueryClient,
  record: ConversationRecord,
  history: ConversationHistory,
): void {
  client.setQueryData(listQuery.queryKey, (records = []) => [
    record,
    ...records.filter(({ conversation_id }) => conversation_id !== record.conversation_id),
  ])
  client.setQueryData(historyQuery(history._id).queryKey, history)
}

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
