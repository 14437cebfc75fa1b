import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
import { livingAsks } from './store.ts'

/** How many recent answers an estimate is made from. */
const RECENT = 20

/** Who is in a lane, and in which rounds; null where nobody is. */
export type LaneStanding = {
  running: number
  waiting: number
  latest_running: number | null
  first_waiting: number | null
}

/** Subquery: how many wait in a lane. */
export const waitingIn = (database: Database, lane: string) =>
  livingAsks(database)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('lane', '=', lane)
    .where('ask_state', '=', 'queueing')

/** Subquery: everything of a lane that runs or waits. */
export const entriesOf = (database: Database, lane: string) =>
  livingAsks(database).select(['ask_id', 'user_id', 'ask_state', 'round', 'ticket']).where('lane', '=', lane)

const nextTickets = prepared((database, { lane, count }: { lane: string; count: number }) =>
  database
    .insertInto('lanes')
    .values({ lane, next_ticket: count })
    .onConflict(conflict =>
      conflict
        .column('lane')
        .doUpdateSet(({ ref, val, eb }) => ({ next_ticket: eb(ref('lanes.next_ticket'), '+', val(count)) })),
    )
    .returning('next_ticket'),
)

// Each from the index by itself: in one pass over the lane they take four times as long when a thousand are in it.
const standing = prepared((database, { lane }: { lane: string }) => {
  const living = livingAsks(database).where('lane', '=', lane)
  const running = living.where('ask_state', '=', 'asking')
  return database
    .selectNoFrom(() => [
      running.select(({ fn }) => fn.countAll<number>().as('asks')).as('running'),
      running.select(({ fn }) => fn.max<number | null>('round').as('round')).as('latest_running'),
      waitingIn(database, lane).as('waiting'),
      living
        .where('ask_state', '=', 'queueing')
        .select(({ fn }) => fn.min<number | null>('round').as('round'))
        .as('first_waiting'),
    ])
    .$narrowType<{ running: number; waiting: number }>()
})

/** Who runs and who waits. Queries and nothing else. Takes a transaction as well as the database. */
export function queueStore(database: Database) {
  return {
    /** Locks the lane until the end of the transaction, takes so many tickets and gives the last of them. */
    nextTickets: (lane: string, count: number) =>
      nextTickets.one(database, { lane, count }).then(row => row.next_ticket),

    standing: (lane: string): Promise<LaneStanding> => standing.one(database, { lane }),

    /** In the order of the tickets. */
    entries: (lane: string) => entriesOf(database, lane).orderBy('ticket').execute(),

    grant: (ask_ids: readonly string[], start_time: number) =>
      database
        .updateTable('asks')
        .set({ ask_state: 'asking', start_time })
        .where('ask_id', 'in', [...ask_ids])
        .where('ask_state', '=', 'queueing')
        .execute(),

    /** How many run and how many wait in each lane. */
    countByLane: () =>
      livingAsks(database)
        .select(({ fn }) => ['lane', 'ask_state', fn.countAll<number>().as('count')])
        .groupBy(['lane', 'ask_state'])
        .execute(),

    /** How long the latest answers of a model took, in milliseconds. */
    recentTimes: (source: Source, model: string) =>
      database
        .selectFrom('asks')
        .select(['start_time', 'end_time'])
        .where('source', '=', source)
        .where('model', '=', model)
        .where('end_time', 'is not', null)
        .where('first_token_time', 'is not', null)
        .orderBy('end_time', 'desc')
        .limit(RECENT)
        .execute(),
  }
}
