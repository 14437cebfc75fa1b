import { type QueueScope, type QueueState, queueStore } from '#server/asks/queueStore.ts'
import type { Transaction } from '#server/foundation/database/open.ts'

type LockedQueue = QueueState & { ticket: number }

/** The queues that a transaction has locked, with the asks that it has put into them so far. */
export type LockedQueues = {
  /** Null for an upstream that has been removed, or was added since the transaction began. */
  find(upstream_id: number): QueueState | null
  /** Puts an ask into a queue; gives its place in the order of turns. */
  join(upstream_id: number, user_id: number, queueing: boolean): { round: number; ticket: number }
}

/** Locks queues until the end of the transaction, in the order of their ids, with tickets for so many asks. */
export async function lockQueues(trx: Transaction, scope: QueueScope, count: number): Promise<LockedQueues> {
  const store = queueStore(trx)
  const [tickets, states, rounds] = await Promise.all([
    store.lock(scope, count),
    store.states(scope),
    scope.user_ids.length === 0 ? [] : store.latestRounds(scope.user_ids),
  ])
  const queues = new Map<number, LockedQueue>()
  for (const { upstream_id, next_ticket } of tickets)
    queues.set(upstream_id, {
      ticket: next_ticket - count,
      running: 0,
      waiting: 0,
      latest_running: null,
      first_waiting: null,
    })
  for (const { upstream_id, ask_state, asks, first, latest } of states) {
    const queue = queues.get(upstream_id)
    if (queue === undefined) continue
    Object.assign(
      queue,
      ask_state === 'asking' ? { running: asks, latest_running: latest } : { waiting: asks, first_waiting: first },
    )
  }
  const own = new Map(rounds.map(({ user_id, upstream_id, round }) => [`${user_id} ${upstream_id}`, round]))
  return {
    find: upstream_id => queues.get(upstream_id) ?? null,
    join(upstream_id, user_id, queueing) {
      const queue = queues.get(upstream_id)
      if (queue === undefined) throw new Error(`the queue of upstream ${upstream_id} is not locked`)
      const key = `${user_id} ${upstream_id}`
      const round = roundOf({ ...queue, latest_own: own.get(key) ?? null })
      const next = joined(queue, round, queueing)
      queues.set(upstream_id, next)
      own.set(key, round)
      return { round, ticket: next.ticket }
    },
  }
}

type Turn = {
  user_id: number
  /** More than their share of the account. */
  borrows: boolean
  round: number
  /** What others had of their share lately. */
  lent: number
  ticket: number
}

/** The rounds in a queue, with the latest of the one who asks. */
type Rounds = Pick<QueueState, 'latest_running' | 'first_waiting'> & { latest_own: number | null }

/**
 * Whose turn comes next: whoever is within their share before whoever borrows; among these the earlier round, within a
 * round whoever lent more, and then the older ticket.
 */
export function turnOrder<T extends Turn>(waiting: readonly T[]): T[] {
  return waiting.toSorted(
    (a, b) => Number(a.borrows) - Number(b.borrows) || a.round - b.round || b.lent - a.lent || a.ticket - b.ticket,
  )
}

/**
 * The round of a new ask. Turns are round-robin over users: each ask that a user has in the queue puts their next one a
 * round later, and nobody joins a round that is over. So nobody's second ask runs before everybody's first, and
 * newcomers cannot delay a second ask for ever.
 */
export function roundOf({ latest_running, first_waiting, latest_own }: Rounds): number {
  return Math.max(latest_running ?? first_waiting ?? 0, latest_own === null ? 0 : latest_own + 1)
}

/** The queue after one more ask has joined it with the next ticket. */
export function joined<Queue extends QueueState & { ticket: number }>(
  queue: Queue,
  round: number,
  queueing: boolean,
): Queue {
  const ticket = queue.ticket + 1
  return queueing
    ? { ...queue, ticket, waiting: queue.waiting + 1, first_waiting: Math.min(queue.first_waiting ?? round, round) }
    : { ...queue, ticket, running: queue.running + 1, latest_running: Math.max(queue.latest_running ?? round, round) }
}
