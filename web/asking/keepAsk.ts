import { generateTitle } from '#contract/conversations.ts'
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
import type { Ask } from './askState.ts'
import { newHistory, recordOf, withAsk } from './threadOf.ts'

/** A new conversation has been stored: from now on it is one of the list. */
export function keepAccepted(ask: Ask): void {
  const { conversation_id, request } = ask
  if (conversation_id === null) return
  const history = newHistory(ask, conversation_id, request?.new_title ?? '', new Date())
  updateCachedConversation(queryClient, recordOf(history, undefined), history)
}

/** Writes what an ask has brought into the conversation, and reads what only the server knows: titles, order, counts. */
export function keepEnded(ask: Ask): void {
  const { conversation_id } = ask
  if (conversation_id !== null) {
    const { queryKey } = historyQuery(conversation_id)
    // What is on its way is older than what has just come.
    void queryClient.cancelQueries({ queryKey })
    const history = queryClient.getQueryData(queryKey)
    const isTaken = ask.question !== null && ask.question.id !== ask.ask_id
    const isKnown = ask.state.phase !== 'failed' || ask.replies.length > 0 || isTaken
    if (history !== undefined && isKnown) {
      const next = withAsk(history, ask, new Date())
      const known = queryClient
        .getQueryData(listQuery.queryKey)
        ?.find(record => record.conversation_id === conversation_id)
      updateCachedConversation(queryClient, recordOf(next, ask.record ?? known), next)
    }
    // What ends an ask whose process is gone names the conversation, and has nobody to tell.
    const isNamedUnheard = ask.state.phase === 'interrupted' && history?.title === ''
    if (history === undefined || ask.state.phase === 'failed' || isNamedUnheard)
      void queryClient.invalidateQueries({ queryKey })
  }
  void nameIt(ask)
  void queryClient.invalidateQueries(listQuery)
  refreshUser().catch(reportFailure)
}

/** The server names a new conversation by itself, however its first ask ends; an older one without a title gets it from its next answer. */
async function nameIt({ conversation_id, request, replies }: Ask): Promise<void> {
  const last = replies.findLast(reply => textOf(reply) !== '')
  if (conversation_id === null || last === undefined || request?.new_conversation === true) return
  if (queryClient.getQueryData(historyQuery(conversation_id).queryKey)?.title !== '') return
  try {
    keepTitle(
      conversation_id,
      await call(generateTitle, { params: { id: conversation_id }, query: { message_id: last.id } }),
    )
  } catch {
    // It goes without a title, and the next answer tries again.
  }
}

export function keepTitle(conversation_id: string, title: string): void {
  updateCachedTitle(queryClient, conversation_id, title)
  // A list that is on its way may be older than the title.
  if (queryClient.isFetching(listQuery) > 0) void queryClient.invalidateQueries(listQuery)
}
