import { sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import { sharedOrOwn } from '#server/upstreams/store.ts'
import { IDLE, type Load } from '#server/upstreams/upstream.ts'
import { activeAsks, type AskRow, livingAsks } from './store.ts'

/** How many recent answers an estimate is made from. */
const RECENT = 20

/** Who is in a queue, and the latest round of those who run and the first of those who wait; null where nobody does. */
export type QueueState = Load & { latest_running: number | null; first_waiting: number | null }

/** Of whose share of the account an ask is: changed where it moves to another one. */
type ShareOfAsk = Pick<AskRow, 'reserved' | 'borrows' | 'lent'>

/** How many people one query is about. */
export const MAX_USERS = 16

/** The queues of the shared upstreams of a source, and of these people's own. */
export type QueueScope = { source: Source; user_ids: readonly number[] }

/** Subquery: everything of a queue that runs or waits. */
export const entriesOf = (database: Database, upstream_id: number) =>
  activeAsks(database)
    .select(['ask_id', 'user_id', 'model', 'ask_state', 'borrows', 'round', 'lent', 'ticket'])
    .where('upstream_id', '=', upstream_id)

/** Subquery: what these asks are, as long as they run or wait. */
export const askDetails = (database: Database, ask_ids: readonly string[]) =>
  livingAsks(database)
    .select(['ask_id', 'user_id', 'conversation_id', 'model', 'create_time', 'start_time'])
    .where('ask_id', 'in', [...ask_ids])

/**
 * Subquery: those who wait, with their position in the queue, from 1. In the order in which turns are given
 * (server/asking/lockedQueues.ts).
 */
export const queuePositions = (database: Database) =>
  livingAsks(database)
    .where('ask_state', '=', 'queueing')
    .select(({ fn }) => [
      'user_id',
      fn
        .agg<number>('row_number')
        .over(over =>
          over.partitionBy('upstream_id').orderBy('borrows').orderBy('round').orderBy('lent', 'desc').orderBy('ticket'),
        )
        .as('position'),
    ])

/** An upsert, since a queue has no row before its first ask. It changes nothing, and so only locks. */
const lockOne = prepared((database, { upstream_id }: { upstream_id: number }) =>
  database
    .insertInto('queues')
    .values({ upstream_id, next_ticket: 0 })
    .onConflict(conflict =>
      conflict.column('upstream_id').doUpdateSet(({ ref }) => ({ next_ticket: ref('queues.next_ticket') })),
    ),
)

type UserParameters = Record<`user${number}`, number>

/** People as parameters. A prepared statement always has as many: a shorter list is filled up with its first one. */
function userParameters(user_ids: readonly number[]): UserParameters {
  if (user_ids.length > MAX_USERS) throw new Error(`a query of queues is about at most ${MAX_USERS} people`)
  const users: UserParameters = {}
  for (let at = 0; at < MAX_USERS; at++) users[`user${at}`] = user_ids[at] ?? user_ids[0] ?? 0
  return users
}

const lock = prepared((database, { source, tickets, ...users }: UserParameters & { source: Source; tickets: number }) =>
  database
    .insertInto('queues')
    .columns(['upstream_id', 'next_ticket'])
    .expression(
      sharedOrOwn(database, { source, user_ids: Object.values(users) })
        .select(sql<number>`cast(${tickets} as integer)`.as('tickets'))
        .orderBy('upstreams.id'),
    )
    .onConflict(conflict =>
      conflict
        .column('upstream_id')
        .doUpdateSet(({ ref, val, eb }) => ({ next_ticket: eb(ref('queues.next_ticket'), '+', val(tickets)) })),
    )
    .returning(['upstream_id', 'next_ticket']),
)

const states = prepared((database, { source, ...users }: UserParameters & { source: Source }) =>
  activeAsks(database)
    .where('upstream_id', 'in', sharedOrOwn(database, { source, user_ids: Object.values(users) }))
    .select(({ fn }) => [
      'upstream_id',
      'ask_state',
      fn.countAll<number>().as('asks'),
      fn.min('round').as('first'),
      fn.max('round').as('latest'),
    ])
    .groupBy(['upstream_id', 'ask_state']),
)

const latestRounds = prepared((database, users: UserParameters) =>
  activeAsks(database)
    .where('user_id', 'in', Object.values(users))
    .select(({ fn }) => ['user_id', 'upstream_id', fn.max('round').as('round')])
    .groupBy(['user_id', 'upstream_id']),
)

/** Who runs and who waits. Queries and nothing else. Takes a transaction as well as the database. */
export function queueStore(database: Database) {
  return {
    /** Locks one queue until the end of the transaction. */
    lockOne: (upstream_id: number) => lockOne.run(database, { upstream_id }),

    /**
     * Locks queues until the end of the transaction, in the order of their ids, takes so many tickets of each and gives
     * the last of them.
     */
    lock: ({ source, user_ids }: QueueScope, tickets: number) =>
      lock.rows(database, { source, tickets, ...userParameters(user_ids) }),

    /** How many run and how many wait in each of these queues, and in which rounds; nothing of one that is empty. */
    states: ({ source, user_ids }: QueueScope) => states.rows(database, { source, ...userParameters(user_ids) }),

    /** The latest round of each of these people in each queue that they are in. */
    latestRounds: (user_ids: readonly number[]) => latestRounds.rows(database, userParameters(user_ids)),

    /** Moves an ask that still waits to another queue; says whether it did. */
    move: async (ask_id: string, to: { upstream_id: number; ticket: number; round: number } & Partial<ShareOfAsk>) => {
      const { numUpdatedRows } = await database
        .updateTable('asks')
        .set(to)
        .where('ask_id', '=', ask_id)
        .where('ask_state', '=', 'queueing')
        .where('end_time', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** In the order of the tickets. */
    entries: (upstream_id: number) => entriesOf(database, upstream_id).orderBy('ticket').execute(),

    grant: (ask_ids: readonly string[], start_time: number) =>
      database
        .updateTable('asks')
        .set({ ask_state: 'asking', start_time })
        .where('ask_id', 'in', [...ask_ids])
        .where('ask_state', '=', 'queueing')
        .execute(),

    /** How many run and how many wait, by the upstreams that have any. */
    async loads(): Promise<Map<number, Load>> {
      const counts = await activeAsks(database)
        .select(({ fn }) => ['upstream_id', 'ask_state', fn.countAll<number>().as('count')])
        .groupBy(['upstream_id', 'ask_state'])
        .execute()
      const loads = new Map<number, Load>()
      for (const { upstream_id, ask_state, count } of counts) {
        const counted = ask_state === 'asking' ? { running: count } : { waiting: count }
        loads.set(upstream_id, { ...IDLE, ...loads.get(upstream_id), ...counted })
      }
      return loads
    },

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
