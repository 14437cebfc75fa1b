import { type ConversationHistory, generateTitle } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import {
  historyQuery,
  listQuery,
  updateCachedConversation,
  updateCachedTitle,
} from '#web/conversations/useConversations.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { refreshUser } from '#web/foundation/session.ts'
import { afterAsk, newHistory, newRecord } from './askHistory.ts'
import { type Ask, hasText } from './askState.ts'

/** Changes the cached history of a conversation. A response that is under way is older, and is discarded. */
export function updateCachedHistory(
  conversation_id: string,
  change: (history: ConversationHistory) => ConversationHistory,
): void {
  const { queryKey } = historyQuery(conversation_id)
  void queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, history => history && change(history))
}

/** A new conversation was accepted: it is shown, and in the list, before it is read from the server. */
export function cacheNewConversation(conversation_id: string, ask: Ask): void {
  const history = newHistory(conversation_id, ask)
  updateCachedConversation(queryClient, newRecord(history), history)
}

/**
 * Whether an ask that is over must be read from the server, because only the server knows its result, or why its
 * question has no answer.
 */
export function mustBeReadAgain(ask: Ask): boolean {
  const { phase } = ask.state
  return !ask.isStored || ((phase === 'failed' || phase === 'interrupted') && !hasText(ask))
}

/**
 * An ask is over: caches what it stored. Titles, order and counts are read again. Resolves once the history is up to
 * date.
 */
export async function cacheResult(ask: Ask): Promise<void> {
  const { conversation_id } = ask
  void queryClient.invalidateQueries(listQuery)
  refreshUser().catch(reportFailure)
  if (conversation_id === null) return
  const { queryKey } = historyQuery(conversation_id)
  const isCached = queryClient.getQueryData(queryKey) !== undefined
  if (isCached && ask.isStored) updateCachedHistory(conversation_id, history => afterAsk(history, ask))
  void titleAnswered(conversation_id, ask)
  if (!isCached || mustBeReadAgain(ask)) await queryClient.invalidateQueries({ queryKey })
}

/** What the server says of a conversation is newer than what is cached. */
export function readAgain(conversation_id: string): void {
  void queryClient.invalidateQueries(listQuery)
  void queryClient.invalidateQueries({ queryKey: historyQuery(conversation_id).queryKey })
}

export function cacheTitle(conversation_id: string, title: string): void {
  updateCachedTitle(queryClient, conversation_id, title)
  // A list that is under way may be older than the title.
  if (queryClient.isFetching(listQuery) > 0) void queryClient.invalidateQueries(listQuery)
}

/** An older conversation without a title gets one from its next answer; the server names a new one by itself. */
async function titleAnswered(conversation_id: string, { request, replies }: Ask): Promise<void> {
  const last = replies.findLast(reply => textOf(reply) !== '')
  if (last === undefined || request?.new_conversation === true) return
  if (queryClient.getQueryData(historyQuery(conversation_id).queryKey)?.title !== '') return
  try {
    cacheTitle(
      conversation_id,
      await call(generateTitle, { params: { id: conversation_id }, query: { message_id: last.id } }),
    )
  } catch {
    // The conversation stays without a title until the next answer.
  }
}
