import {
  deleteAllConversations,
  deleteConversation,
  renameConversation,
  restoreConversation,
} from '#contract/conversations.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { portalQuery } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { dropToast, isShown } from '#web/foundation/toasts.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { toast } from '#web/foundation/toasts.ts'
import {
  historyQuery,
  listQuery,
  notifyRemoval,
  notifyTabs,
  refreshList,
  updateCachedTitle,
} from './useConversations.ts'

/** Optimistic: shown at once, and undone if the server refuses. */
export async function rename(id: string, before: string, title: string): Promise<void> {
  updateCachedTitle(queryClient, id, title)
  if (await succeeds(call(renameConversation, { params: { id }, query: { title } })))
    notifyTabs({ conversation_id: id, title })
  else updateCachedTitle(queryClient, id, before)
}

/** Deletes a conversation, which can be undone for a while. Returns whether it has left the list. */
export async function remove(id: string, title: string, onRestored: () => void): Promise<boolean> {
  const isFinal = queryClient.getQueryData(portalQuery.queryKey)?.deletes_at_once === true
  if (isFinal && !(await confirmFinal(title))) return false
  const removed = await succeeds(call(deleteConversation, { params: { id } }))
  if (removed) {
    notifyRemoval(id)
    notifyTabs({ conversation_id: id })
    queryClient.setQueryData(listQuery.queryKey, records => records?.filter(record => record.conversation_id !== id))
    queryClient.removeQueries({ queryKey: historyQuery(id).queryKey })
    if (!isFinal) offerUndo({ id, title, onRestored })
  }
  // Another device may have deleted it already.
  void refreshList(queryClient)
  return removed
}

const confirmFinal = (title: string): Promise<boolean> =>
  confirm({
    title: t('conversations.deleteTitle', { title }),
    text: t('conversations.deleteText'),
    verb: t('conversations.delete'),
    danger: true,
  })

/**
 * Asks for confirmation by typing the user name, so that it cannot happen by mistake. Returns whether the list is empty
 * now.
 */
export async function removeAll(count: number): Promise<boolean> {
  const sure = await confirm({
    title: t('conversations.deleteAllTitle', { count }),
    text: t(
      queryClient.getQueryData(portalQuery.queryKey)?.deletes_at_once === true
        ? 'conversations.deleteText'
        : 'conversations.deleteAllText',
    ),
    verb: t('conversations.deleteAllVerb'),
    danger: true,
    typed: useSession.getState().user?.username ?? '',
  })
  const removed = sure && (await succeeds(call(deleteAllConversations, { query: { own: 'true' } })))
  if (removed) {
    notifyRemoval(null)
    notifyTabs({ conversation_id: null })
    queryClient.setQueryData(listQuery.queryKey, [])
    queryClient.removeQueries({ queryKey: ['conversation'] })
    toast.success(t('conversations.deletedAll'))
  }
  return removed
}

type Deletion = { id: string; title: string; onRestored(): void }

/** The deletions that can still be undone, latest last. They share one toast, so that none pushes out another's. */
let offered: { toast: number; deletions: readonly Deletion[] } | null = null

useSession.subscribe(({ user }) => {
  if (user === null) withdrawOffer()
})

/** Offers to undo the deletion, together with those just before it. */
function offerUndo(latest: Deletion): void {
  const deletions = [...withdrawOffer(), latest]
  const title =
    deletions.length === 1
      ? t('conversations.deleted', { title: latest.title })
      : t('conversations.deletedSeveral', { count: deletions.length })
  offered = { toast: toast.undoable(title, () => void restore(deletions)), deletions }
}

/** Returns the deletions of the offer. */
function withdrawOffer(): readonly Deletion[] {
  if (offered === null || !isShown(offered.toast)) return []
  dropToast(offered.toast)
  return offered.deletions
}

async function restore(deletions: readonly Deletion[]): Promise<void> {
  const restored = await Promise.all(deletions.map(({ id }) => succeeds(call(restoreConversation, { params: { id } }))))
  await refreshList(queryClient)
  for (const { id, onRestored } of deletions.filter((_, at) => restored[at])) {
    notifyTabs({ conversation_id: id })
    onRestored()
  }
}

/** Whether the work succeeds; a failure is reported. */
async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    reportFailure(error)
    return false
  }
}
