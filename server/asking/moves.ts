import type { Source } from '#contract/models.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { conversationStore } from '#server/conversations/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { whereNext } from '#server/upstreams/choose.ts'
import type { Candidate, Load, Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { lockQueues } from './lockedQueues.ts'

/** An ask that waits, and the upstream that it waits for. */
export type Ticket = {
  ask_id: string
  user_id: number
  conversation_id: string
  source: Source
  model: string
  upstream: Upstream
}

type Dependencies = { open: OpenDatabase; clock: Clock; upstreams: Pick<Upstreams, 'find' | 'serving'> }

const IDLE: Load = { running: 0, waiting: 0 }

/**
 * Moves asks to other upstreams that wait for one which is gone, paused or cooling, or no longer serves their model. Each process does so for
 * those that wait in it. Gives where those wait now that were moved, by the ids of the asks.
 */
export function openMoves({ open, clock, upstreams }: Dependencies) {
  function next({ source, model, upstream }: Ticket, loadOf: (id: number) => Load | null): Upstream | null {
    const candidates = upstreams.serving(source, model).flatMap((each): Candidate[] => {
      const load = loadOf(each.id)
      return load === null ? [] : [{ upstream: each, load }]
    })
    const there = whereNext({ source, present: upstreams.find(upstream.id), candidates, now: clock.now() })
    return there.next === 'moves' ? there.upstream : null
  }

  return async (waiting: readonly Ticket[]): Promise<Map<string, Upstream>> => {
    // Where everybody stays, which is nearly always so, nothing is locked. Nobody but its person is asked of what is one's own.
    const moving = waiting.filter(ticket => ticket.upstream.user_id === null && next(ticket, () => IDLE) !== null)
    const [first] = moving
    if (first === undefined) return new Map()
    return open.transaction(async trx => {
      const moved = new Map<string, Upstream>()
      const scope = { source: first.source, user_ids: [...new Set(moving.map(({ user_id }) => user_id))] }
      const queues = await lockQueues(trx, scope, moving.length)
      for (const ticket of moving) {
        const to = next(ticket, queues.find)
        if (to === null) continue
        const turn = queues.join(to.id, ticket.user_id, true)
        if (!(await queueStore(trx).move(ticket.ask_id, { upstream_id: to.id, ...turn }))) continue
        await conversationStore(trx).change(ticket.conversation_id, { upstream_id: to.id })
        moved.set(ticket.ask_id, to)
      }
      return moved
    })
  }
}
