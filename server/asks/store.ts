import type { Outcome } from '#contract/asking.ts'
import type { Source } from '#contract/models.ts'
import { liveSessions } from '#server/accounts/sessionStore.ts'
import { ownEndpoints } from '#server/quotas/store.ts'
import type { Engine } from '#server/foundation/database/definition.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
import type { RowOf } from '#server/foundation/database/tables.ts'
import type { tables } from '#server/foundation/database/schema.ts'
import { type Standing, standingOf, waitingIn } from '#server/limits/store.ts'
import type { LaneStanding } from '#server/asking/turnOrder.ts'

export type AskRow = RowOf<typeof tables.asks>
type Chunk = { ask_id: string; chunk_number: number; chunk_text: string }

/** How many recent answers an estimate is made from. */
const RECENT = 20

type NewAsk = Omit<
  AskRow,
  'outcome' | 'failure_key' | 'failure_values' | 'stop_requested' | 'first_token_time' | 'end_time'
>
/** Who asks, where, and by which session, at this moment. */
type NewAsker = { ask_id: string; user_id: number; session: string; source: Source; lane: string; now: number }
type AskEnd = Pick<AskRow, 'failure_key' | 'failure_values' | 'first_token_time'> & {
  outcome: Outcome
  end_time: number
}
type Logged = {
  log_time: number
  source: string
  model: string
  user_id: number
  conversation_id: string
  queueing_time: number
  ask_time: number
}

const find = prepared((database, { ask_id }: { ask_id: string }) =>
  database.selectFrom('asks').selectAll().where('ask_id', '=', ask_id),
)

const insert = prepared((database, row: NewAsk) => database.insertInto('asks').values(row))

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
const laneStanding = prepared((database, { lane }: { lane: string }) => {
  const living = database.selectFrom('asks').where('lane', '=', lane).where('end_time', 'is', null)
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

const standing = prepared((database, { ask_id, session, now, lane, ...asker }: NewAsker) => {
  const { user_id } = asker
  return database
    .selectNoFrom(({ exists }) => [
      database
        .selectFrom('asks')
        .where('lane', '=', lane)
        .where('end_time', 'is', null)
        .where('user_id', '=', user_id)
        .select(({ fn }) => fn.max<number | null>('round').as('round'))
        .as('latest_own'),
      liveSessions(database, now)
        .where('sessions.token_hash', '=', session)
        .select(({ fn }) => fn.countAll<number>().as('sessions'))
        .as('live_sessions'),
      exists(ownEndpoints(database).where('user_id', '=', user_id).select('user_id')).as('has_own_endpoint'),
      database
        .selectFrom('asks')
        .where('ask_id', '=', ask_id)
        .select(({ fn }) => fn.countAll<number>().as('asks'))
        .as('of_this_id'),
      ...standingOf(database, asker),
    ])
    .$narrowType<Standing & { of_this_id: number; live_sessions: number }>()
})

const close = prepared((database, { ask_id, ...end }: AskEnd & { ask_id: string }) =>
  database
    .updateTable('asks')
    .set({ ...end, ask_state: 'done' })
    .where('ask_id', '=', ask_id)
    .where('end_time', 'is', null)
    .returningAll(),
)

const writeLog = prepared((database, row: Logged) => database.insertInto('ask_logs').values(row))

const addChunk = prepared((database, chunk: Chunk) =>
  database
    .insertInto('ask_chunks')
    .values(chunk)
    .onConflict(conflict => conflict.doNothing()),
)

const lockPerson = prepared((database, { id }: { id: number }) =>
  database.selectFrom('users').select('id').where('id', '=', id).forUpdate(),
)

export function askStore(database: Database) {
  return {
    find: (ask_id: string) => find.first(database, { ask_id }),

    insert: (row: NewAsk) => insert.run(database, row),

    /** Locks the lane until the end of the transaction, takes so many tickets and gives the last of them. */
    nextTickets: (lane: string, count: number) =>
      nextTickets.one(database, { lane, count }).then(row => row.next_ticket),

    /** How many run and wait in a lane, and in which rounds. */
    laneStanding: (lane: string): Promise<LaneStanding> => laneStanding.one(database, { lane }),

    /** Where a new ask stands but for its lane: what its person has already, whether their session is still good and the ask's id is free. */
    standing: (ask: NewAsker) => standing.one(database, ask),

    /** Everything of a lane that runs or waits, in the order of the tickets. */
    lane: (lane: string) =>
      database
        .selectFrom('asks')
        .select(['ask_id', 'user_id', 'ask_state', 'round', 'ticket'])
        .where('lane', '=', lane)
        .where('end_time', 'is', null)
        .orderBy('ticket')
        .execute(),

    grant: (ask_ids: readonly string[], start_time: number) =>
      database
        .updateTable('asks')
        .set({ ask_state: 'asking', start_time })
        .where('ask_id', 'in', [...ask_ids])
        .where('ask_state', '=', 'queueing')
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

    /** Gives those that are still held. */
    renew: (holder: string, ask_ids: readonly string[], lease_until: number) =>
      database
        .updateTable('asks')
        .set({ lease_until })
        .where('holder', '=', holder)
        .where('ask_id', 'in', [...ask_ids])
        .where('end_time', 'is', null)
        .returning('ask_id')
        .execute(),

    /** Asks whose holder has given no sign of life. */
    abandoned: (now: number) =>
      database
        .selectFrom('asks')
        .selectAll()
        .where('end_time', 'is', null)
        .where('lease_until', '<', now)
        .orderBy('lease_until')
        .limit(200)
        .execute(),

    /** Takes an abandoned ask over; false when somebody else was faster. */
    takeOver: async (ask_id: string, now: number, holder: string, lease_until: number) => {
      const { numUpdatedRows } = await database
        .updateTable('asks')
        .set({ holder, lease_until })
        .where('ask_id', '=', ask_id)
        .where('end_time', 'is', null)
        .where('lease_until', '<', now)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    requestStop: (ask_id: string) =>
      database
        .updateTable('asks')
        .set({ stop_requested: true })
        .where('ask_id', '=', ask_id)
        .where('end_time', 'is', null)
        .execute(),

    stopRequested: (holder: string) =>
      database
        .selectFrom('asks')
        .select('ask_id')
        .where('holder', '=', holder)
        .where('stop_requested', '=', true)
        .where('end_time', 'is', null)
        .execute(),

    /** Closes an ask, and gives it; nothing when it was closed before. */
    close: (ask_id: string, end: AskEnd) => close.first(database, { ask_id, ...end }),

    writeLog: (row: Logged) => writeLog.run(database, row),

    /** One that is there already was stored by a transaction whose answer got lost. On SQLite it is there twice then, and read once. */
    addChunk: (chunk: Chunk) => addChunk.run(database, chunk),

    chunksAfter: (ask_id: string, after: number) =>
      database
        .selectFrom('ask_chunks')
        .select(['chunk_number', 'chunk_text'])
        .where('ask_id', '=', ask_id)
        .where('chunk_number', '>', after)
        .orderBy('chunk_number')
        .execute(),

    /** Removes those of answers that are messages by now, whoever wrote them. */
    dropChunksOfEnded: () =>
      database
        .deleteFrom('ask_chunks')
        .where('ask_id', 'not in', trx => trx.selectFrom('asks').select('ask_id').where('end_time', 'is', null))
        .execute(),

    /** Who is being answered or waits, of these people. */
    statusOf: (user_ids: readonly number[]) =>
      database
        .selectFrom('asks')
        .select(['user_id', 'ask_state'])
        .where('end_time', 'is', null)
        .where('user_id', 'in', [...user_ids])
        .execute(),

    runningOf: (user_id: number) =>
      database
        .selectFrom('asks')
        .select('ask_id')
        .where('user_id', '=', user_id)
        .where('end_time', 'is', null)
        .execute(),

    /** Locks the person's row until the end of the transaction; SQLite has one that writes at a time, and nothing to lock. */
    lockPerson: async (id: number, engine: Engine) => {
      if (engine === 'postgresql') await lockPerson.run(database, { id })
    },
  }
}
