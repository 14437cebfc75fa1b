import type { Source } from '#contract/models.ts'
import { MAX_PEOPLE, queueStore } from '#server/asks/queueStore.ts'
import { conversationStore } from '#server/conversations/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { whereNext } from '#server/upstreams/choose.ts'
import { type Candidate, IDLE, type Load, type Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { lockQueues } from './lockedQueues.ts'
import { teamThere } from './route.ts'

/** An ask that waits, and the upstream that it waits for. */
export type Ticket = {
  ask_id: string
  user_id: number
  conversation_id: string
  source: Source
  model: string
  upstream: Upstream
  /** The only upstreams that it may move to; null for any. */
  mayMoveTo: ReadonlySet<number> | null
  /** The team account in whose name it asks; null for a personal one. */
  source_id: string | null
}

type Dependencies = { open: OpenDatabase; clock: Clock; upstreams: Pick<Upstreams, 'findFor' | 'serving'> }

/**
 * Moves waiting asks to another upstream when theirs is gone, paused or cooling, or no longer serves their model. An ask stays when an account
 * keeps its conversation or has its files. Each process moves the asks that wait in it. Gives the new upstreams of the asks that were moved, by
 * the ids of the asks.
 */
export function openMoves({ open, clock, upstreams }: Dependencies) {
  function next({ source, model, upstream, mayMoveTo }: Ticket, loadOf: (id: number) => Load | null): Upstream | null {
    const candidates = upstreams.serving(source, model).flatMap((each): Candidate[] => {
      const load = (mayMoveTo?.has(each.id) ?? true) ? loadOf(each.id) : null
      return load === null ? [] : [{ upstream: each, load }]
    })
    const there = whereNext({
      isKept: false,
      present: upstreams.findFor(upstream.id, model),
      candidates,
      now: clock.now(),
    })
    return there.next === 'moves' ? there.upstream : null
  }

  async function moveSome(source: Source, tickets: readonly Ticket[]): Promise<Map<string, Upstream>> {
    return open.transaction(async trx => {
      const moved = new Map<string, Upstream>()
      const scope = { source, user_ids: [...new Set(tickets.map(({ user_id }) => user_id))] }
      const queues = await lockQueues(trx, scope, tickets.length)
      for (const ticket of tickets) {
        const to = next(ticket, queues.find)
        if (to === null) continue
        const turn = queues.join(to.id, ticket.user_id, true)
        if (!(await queueStore(trx).move(ticket.ask_id, { upstream_id: to.id, ...turn }))) continue
        const source_id = teamThere(ticket.source_id, to)
        await conversationStore(trx).change(ticket.conversation_id, { upstream_id: to.id, source_id })
        moved.set(ticket.ask_id, to)
      }
      return moved
    })
  }

  return async (waiting: readonly Ticket[]): Promise<Map<string, Upstream>> => {
    // Mostly everybody stays, and nothing is locked. Asks never leave an upstream of one's own.
    const moving = waiting.filter(ticket => ticket.upstream.user_id === null && next(ticket, () => IDLE) !== null)
    const moved = new Map<string, Upstream>()
    for (let start = 0; start < moving.length; start += MAX_PEOPLE) {
      const some = moving.slice(start, start + MAX_PEOPLE)
      const source = some[0]?.source ?? 'openai_api' // those that wait for one upstream are of its source
      for (const [ask_id, to] of await moveSome(source, some)) moved.set(ask_id, to)
    }
    return moved
  }
}
