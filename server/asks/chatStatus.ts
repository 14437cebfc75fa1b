import type { ChatStatus } from '#contract/limits.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { askStore } from './store.ts'

/** Derived from living asks; there is no flag that could stick (the specification, section 4). People without one are left out. */
export function chatStatusOf(database: Database) {
  return async (user_ids: readonly number[]): Promise<Map<number, ChatStatus>> => {
    const status = new Map<number, ChatStatus>()
    if (user_ids.length === 0) return status
    for (const { user_id, ask_state } of await askStore(database).statusOf(user_ids)) {
      if (ask_state === 'asking' || !status.has(user_id))
        status.set(user_id, ask_state === 'asking' ? 'asking' : 'queueing')
    }
    return status
  }
}
