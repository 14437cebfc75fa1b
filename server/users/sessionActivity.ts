import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { sessionStore } from './sessionStore.ts'

/** Milliseconds. The last activity of a person is stored once a minute, not with every request. */
const STORED_EVERY = 60_000
const FLUSHED_AFTER = 1_000

type LastActivity = {
  record(activity: { user_id: number; session: string; last_seen_time: number }): void
  /** Stores what has not been stored yet. */
  flush(): Promise<void>
}

/** Collects who was active and stores it a moment later in one transaction. No request waits for it. */
export function lastActivity({
  open,
  clock,
  onFailure,
}: {
  open: OpenDatabase
  clock: Clock
  onFailure(cause: unknown): void
}): LastActivity {
  const pending = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    if (pending.size === 0) return
    // Sorted, so that two processes never deadlock on each other's rows.
    const sessions = [...pending].sort(([a], [b]) => (a < b ? -1 : 1))
    const users = [...new Set(pending.values())].sort((a, b) => a - b)
    pending.clear()
    const now = clock.now()
    await open.transaction(
      async trx => {
        const store = sessionStore(trx)
        for (const user_id of users) await store.touchUser(user_id, now)
        for (const [session] of sessions) await store.touch(session, now)
      },
      { lowPriority: true },
    )
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(write).catch(onFailure)
    return writing
  }

  return {
    record({ user_id, session, last_seen_time }) {
      if (clock.now() - last_seen_time < STORED_EVERY) return
      pending.set(session, user_id)
      timer ??= setTimeout(flush, FLUSHED_AFTER).unref()
    },
    flush,
  }
}
