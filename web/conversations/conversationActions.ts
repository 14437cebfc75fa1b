import { deleteAllConversations, deleteConversation, renameConversation } from '#contract/conversations.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { toast } from '#web/foundation/toasts.ts'
import { offerBack } from './deletions.ts'
import { done } from './done.ts'
import { tellRemoval } from './removals.ts'
import { tellTabs } from './tabs.ts'
import { historyQuery, listQuery, readListAnew, takeTitle } from './useConversations.ts'

/** Optimistic: shown at once, and undone if the server refuses. */
export async function rename(id: string, before: string, title: string): Promise<void> {
  takeTitle(queryClient, id, title)
  if (await done(call(renameConversation, { params: { id }, query: { title } })))
    tellTabs({ conversation_id: id, title })
  else takeTitle(queryClient, id, before)
}

/** Can be undone for a while. Returns whether the conversation has left the list. */
export async function remove(id: string, title: string, onBack: () => void): Promise<boolean> {
  const removed = await done(call(deleteConversation, { params: { id } }))
  if (removed) {
    tellRemoval(id)
    tellTabs({ conversation_id: id })
    queryClient.setQueryData(listQuery.queryKey, records => records?.filter(record => record.conversation_id !== id))
    queryClient.removeQueries({ queryKey: historyQuery(id).queryKey })
    offerBack({ id, title, onBack })
  }
  // Another device may have been faster.
  void readListAnew(queryClient)
  return removed
}

/** Asks first and has the user name typed, so that it cannot happen by mistake. Returns whether the list is empty now. */
export async function removeAll(count: number): Promise<boolean> {
  const sure = await confirm({
    title: t('conversations.deleteAllTitle', { count }),
    text: t('conversations.deleteAllText'),
    verb: t('conversations.deleteAllVerb'),
    danger: true,
    typed: useSession.getState().user?.username ?? '',
  })
  const removed = sure && (await done(call(deleteAllConversations, {})))
  if (removed) {
    tellRemoval(null)
    tellTabs({ conversation_id: null })
    queryClient.setQueryData(listQuery.queryKey, [])
    queryClient.removeQueries({ queryKey: ['conversation'] })
    toast.success(t('conversations.deletedAll'))
  }
  return removed
}
