import type { Source } from '#contract/models.ts'
import { asksWithId } from '#server/asks/store.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import { type CurrentCounts, currentCountsOf } from '#server/limits/store.ts'
import { plansVersion } from '#server/policy/planStore.ts'
import { ownUpstreamOf } from '#server/upstreams/store.ts'

type CallerQuery = {
  ask_id: string
  user_id: number
  source: Source
  /** Whether the default plan limits the number of conversations. */
  bounded: boolean
}

const callerState = prepared((database, { ask_id, ...person }: CallerQuery) =>
  database
    .selectNoFrom(() => [
      ownUpstreamOf(database, person).select('id').as('own_upstream_id'),
      asksWithId(database, ask_id)
        .select(({ fn }) => fn.countAll<number>().as('asks'))
        .as('of_this_id'),
      plansVersion(database).as('plans_version'),
      ...currentCountsOf(database, person),
    ])
    .$narrowType<CurrentCounts & { of_this_id: number; plans_version: number }>(),
)

/** What the person of a new ask has already, and whether the ask's id is free. */
export const readCallerState = (database: Database, ask: CallerQuery) => callerState.one(database, ask)
