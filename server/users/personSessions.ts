import type { UserSession } from '#contract/userAdministration.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sessions } from './sessions.ts'
import { sessionStore } from './sessionStore.ts'
import { userStore } from './store.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; sessions: Sessions }

/** What an administrator calls a session by: enough of the hash of its token to be the only one. */
const sessionId = (token_hash: string): string => token_hash.slice(0, 22)

/** Where people are signed in, as administrators see and end it. `current` is the session of the administrator who asks. */
export function personSessions({ open, clock, sessions }: Dependencies) {
  const store = sessionStore(open.database)

  async function listOf(user_id: number) {
    if (!(await userStore(open.database).find(user_id))) throw new Refusal('userNotExist')
    return store.listOf(user_id, clock.now())
  }

  return {
    async list(user_id: number, current: string): Promise<UserSession[]> {
      return (await listOf(user_id)).map(({ token_hash, create_time, last_seen_time, expire_time, ...visitor }) => ({
        id: sessionId(token_hash),
        create_time: timeText(create_time),
        last_seen_time: timeText(last_seen_time),
        expire_time: timeText(expire_time),
        ...visitor,
        is_current: token_hash === current,
      }))
    },

    /** Gives how many there were: one, or none when it has ended. */
    async end(user_id: number, id: string): Promise<number> {
      const session = (await listOf(user_id)).find(({ token_hash }) => sessionId(token_hash) === id)?.token_hash
      if (session === undefined) return 0
      await sessions.endOne(session)
      return 1
    },

    /** All but the one that asks. Gives how many there were. */
    async endAll(user_id: number, current: string): Promise<number> {
      const ended = (await listOf(user_id)).filter(({ token_hash }) => token_hash !== current)
      await sessions.endAllOf(user_id, current)
      return ended.length
    },
  }
}

const timeText = (time: number) => new Date(time).toISOString()
