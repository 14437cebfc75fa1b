import type { QueueState } from '#server/asks/queueStore.ts'

type Turn = { user_id: number; round: number; ticket: number }

/** The rounds in a queue, with the latest of the one who asks. */
type Rounds = Pick<QueueState, 'latest_running' | 'first_waiting'> & { latest_own: number | null }

/** Whose turn comes next: the earlier round, and within a round the older ticket. */
export function turnOrder<T extends Turn>(waiting: readonly T[]): T[] {
  return waiting.toSorted((a, b) => a.round - b.round || a.ticket - b.ticket)
}

/**
 * The round of a new ask. Turns are round-robin over users: each ask that a user has in the queue puts their next one a round later, and
 * nobody joins a round that is over. So nobody's second ask runs before everybody's first, and newcomers cannot delay a second ask for ever.
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
