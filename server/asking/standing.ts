import type { Source } from '#contract/models.ts'
import { liveSessions } from '#server/accounts/sessionStore.ts'
import { asksWithId, livingAsks } from '#server/asks/store.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
import { type Standing, standingOf } from '#server/limits/store.ts'
import { ownEndpoints } from '#server/quotas/store.ts'

/** Who asks, where, and by which session, at this moment. */
type NewAsk = { ask_id: string; user_id: number; session: string; source: Source; upstream_id: number; now: number }

const standing = prepared((database, { ask_id, session, now, upstream_id, ...asker }: NewAsk) => {
  const { user_id } = asker
  return database
    .selectNoFrom(({ exists }) => [
      livingAsks(database)
        .where('upstream_id', '=', upstream_id)
        .where('user_id', '=', user_id)
        .select(({ fn }) => fn.max<number | null>('round').as('round'))
        .as('latest_own'),
      liveSessions(database, now)
        .where('sessions.token_hash', '=', session)
        .select(({ fn }) => fn.countAll<number>().as('sessions'))
        .as('live_sessions'),
      exists(ownEndpoints(database).where('user_id', '=', user_id).select('user_id')).as('has_own_endpoint'),
      asksWithId(database, ask_id)
        .select(({ fn }) => fn.countAll<number>().as('asks'))
        .as('of_this_id'),
      ...standingOf(database, asker),
    ])
    .$narrowType<Standing & { of_this_id: number; live_sessions: number }>()
})

/** Where a new ask stands but for its queue: what its person has already, whether their session is still good and the ask's id is free. */
export const readStanding = (database: Database, ask: NewAsk) => standing.one(database, ask)
