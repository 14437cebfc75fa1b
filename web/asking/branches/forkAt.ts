import { forkConversation } from '#contract/conversations.ts'
import { listQuery } from '#web/conversations/useConversations.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/foundation/toasts.ts'
import { onceAtATime } from './onceAtATime.ts'

/** Resolves to the new conversation; null if that failed, which the user has been told, or if it is being made already. */
export function forkAt(id: string, message_id: string): Promise<string | null> {
  return onceAtATime(`fork ${id}`, () => copyOf(id, message_id))
}

async function copyOf(id: string, message_id: string): Promise<string | null> {
  try {
    const record = await call(forkConversation, { params: { id }, query: { message_id } })
    queryClient.setQueryData(listQuery.queryKey, records => records && [record, ...records])
    toast.success(t('branches.forked'), record.title ?? '')
    return record.conversation_id
  } catch (error) {
    reportFailure(error)
    return null
  }
}
