import type { Source } from '#contract/models.ts'
import { liveSessions } from '#server/accounts/sessionStore.ts'
import { asksWithId } from '#server/asks/store.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
import { type Standing, standingOf } from '#server/limits/store.ts'
import { ownUpstreamOf } from '#server/upstreams/store.ts'

/** Who asks, and by which session, at this moment. */
type NewAsk = { ask_id: string; user_id: number; session: string; source: Source; now: number }

const standing = prepared((database, { ask_id, session, now, ...asker }: NewAsk) =>
  database
    .selectNoFrom(() => [
      liveSessions(database, now)
        .where('sessions.token_hash', '=', session)
        .select(({ fn }) => fn.countAll<number>().as('sessions'))
        .as('live_sessions'),
      ownUpstreamOf(database, asker).select('id').as('own_upstream_id'),
      asksWithId(database, ask_id)
        .select(({ fn }) => fn.countAll<number>().as('asks'))
        .as('of_this_id'),
      ...standingOf(database, asker),
    ])
    .$narrowType<Standing & { of_this_id: number; live_sessions: number }>(),
)

/** What the person of a new ask has already, whether their session is still good and the ask's id is free. */
export const readStanding = (database: Database, ask: NewAsk) => standing.one(database, ask)
