import { restoreConversation } from '#contract/conversations.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { dropToast, isShown } from '#web/foundation/toasts.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/kit/toast.ts'
import { done } from './done.ts'
import { readListAnew } from './useConversations.ts'

type Deleted = { id: string; title: string; onBack(): void }

/** What the toast can still bring back, the latest last: one toast, so that no deletion takes the place of another's. */
let offered: { toast: number; deleted: readonly Deleted[] } | null = null

useSession.subscribe(({ user }) => { if (user === null) withdraw() })

/** Brings it back if the person wants to, together with what they have deleted just before. */
export function offerBack(latest: Deleted): void {
  const deleted = [...withdraw(), latest]
  const title = deleted.length === 1 ? t('conversations.deleted', { title: latest.title }) : t('conversations.deletedSeveral', { count: deleted.length })
  offered = { toast: toast.undoable(title, () => void bringBack(deleted)), deleted }
}

/** Takes the offer away, and tells what it was for. */
function withdraw(): readonly Deleted[] {
  if (offered === null || !isShown(offered.toast)) return []
  dropToast(offered.toast)
  return offered.deleted
}

async function bringBack(deleted: readonly Deleted[]): Promise<void> {
  const returned = await Promise.all(deleted.map(({ id }) => done(call(restoreConversation, { params: { id } }))))
  await readListAnew(queryClient)
  for (const { onBack } of deleted.filter((_, at) => returned[at])) onBack()
}
