import type { ResultOf } from '#contract/call.ts'
import type { readSystemInfo } from '#contract/statistics.ts'
import { countUsers } from '#server/accounts/store.ts'
import { countConversations } from '#server/conversations/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'

export type SystemInformation = ReturnType<typeof openSystemInformation>

/** The counts of the portal, and since when this process is up. */
export function openSystemInformation({ open, clock }: { open: OpenDatabase; clock: Clock }) {
  const startup_time = clock.now() / 1000

  return async (): Promise<ResultOf<typeof readSystemInfo>> => {
    const [total_user_count, { total, valid }] = await Promise.all([
      countUsers(open.heavy()),
      countConversations(open.heavy()),
    ])
    return {
      startup_time,
      total_user_count,
      total_conversation_count: total,
      valid_conversation_count: valid,
    }
  }
}
