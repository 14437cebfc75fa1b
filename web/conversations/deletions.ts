import { restoreConversation } from '#contract/conversations.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { dropToast, isShown, toast } from '#web/foundation/toasts.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { done } from './done.ts'
import { tellTabs } from './tabs.ts'
import { readListAnew } from './useConversations.ts'

type Deleted = { id: string; title: string; onBack(): void }

/** The deletions that can still be undone, latest last. They share one toast, so that none pushes out another's. */
let offered: { toast: number; deleted: readonly Deleted[] } | null = null

useSession.subscribe(({ user }) => {
  if (user === null) withdraw()
})

/** Offers to undo it, together with what was deleted just before. */
export function offerBack(latest: Deleted): void {
  const deleted = [...withdraw(), latest]
  const title =
    deleted.length === 1
      ? t('conversations.deleted', { title: latest.title })
      : t('conversations.deletedSeveral', { count: deleted.length })
  offered = { toast: toast.undoable(title, () => void bringBack(deleted)), deleted }
}

/** Withdraws the offer, and returns what it was for. */
function withdraw(): readonly Deleted[] {
  if (offered === null || !isShown(offered.toast)) return []
  dropToast(offered.toast)
  return offered.deleted
}

async function bringBack(deleted: readonly Deleted[]): Promise<void> {
  const returned = await Promise.all(deleted.map(({ id }) => done(call(restoreConversation, { params: { id } }))))
  await readListAnew(queryClient)
  for (const { id, onBack } of deleted.filter((_, at) => returned[at])) {
    tellTabs({ conversation_id: id })
    onBack()
  }
}
