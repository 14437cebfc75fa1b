import { type QueueScope, type QueueState, queueStore } from '#server/asks/queueStore.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { joined, roundOf } from './turnOrder.ts'

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
