import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type ConversationHistory, type ConversationRecord, listConversations } from '#contract/conversations.ts'
import { call } from '#web/foundation/call.ts'
import { readReadableConversation } from '#web/messages/readableHistory.ts'
import { readyToShow } from './readyToShow.ts'

export const listQuery = queryOptions({
  queryKey: ['conversations'],
  queryFn: ({ signal }) => call(listConversations, {}, { signal }),
  meta: { quiet: true },
})

export function historyQuery(id: string) {
  return queryOptions({
    queryKey: ['conversation', id],
    queryFn: async ({ signal }) => {
      return readyToShow(
        await call(readReadableConversation, { params: { id }, query: { thoughts: 'true' } }, { signal }),
      )
    },
    meta: { quiet: true },
  })
}

/** Under this, by the words, what was found in messages. */
export const SEARCH_KEY = 'search'

/** Conversations have gone or come back: the list, and what is found now, are read anew. */
export function readListAnew(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: [SEARCH_KEY] })
  return client.invalidateQueries(listQuery)
}

/** Any conversation may have changed: after an import. */
export function readAllAnew(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['conversation'] })
  void readListAnew(client)
}

export function useConversations() {
  return useQuery(listQuery)
}

/** A title in the list and in the open conversation. */
export function takeTitle(client: QueryClient, id: string, title: string): void {
  client.setQueryData(listQuery.queryKey, records =>
    records?.map(record => (record.conversation_id === id ? { ...record, title } : record)),
  )
  client.setQueryData(historyQuery(id).queryKey, history => history && { ...history, title })
}

/** A conversation that has just been stored or asked in: known to the page before it is read from the server. */
export function takeConversation(client: QueryClient, record: ConversationRecord, history: ConversationHistory): void {
  client.setQueryData(listQuery.queryKey, (records = []) => [
    record,
    ...records.filter(({ conversation_id }) => conversation_id !== record.conversation_id),
  ])
  client.setQueryData(historyQuery(history._id).queryKey, history)
}
