import type { Source } from '#contract/models.ts'
import type { AdmittedAsk } from '#server/asks/ask.ts'
import { MAX_PEOPLE, queueStore } from '#server/asks/queueStore.ts'
import { conversationStore } from '#server/conversations/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Sources } from '#server/sources/source.ts'
import { whereNext } from '#server/upstreams/choose.ts'
import { type Candidate, IDLE, type Load, type Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { lockQueues } from './lockedQueues.ts'

/** An ask that waits, and the upstream that it waits for: it may have moved since it was admitted. */
export type Waiting = { ask: AdmittedAsk; upstream: Upstream }

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  sources: Sources
  upstreams: Pick<Upstreams, 'findFor' | 'serving'>
}

/**
 * Moves waiting asks to another upstream when theirs is gone, paused or cooling, or no longer serves their model, as far as their destination
 * allows. Each process moves the asks that wait in it. Gives the new upstreams of the asks that were moved, by
 * the ids of the asks.
 */
export function openMoves({ open, clock, sources, upstreams }: Dependencies) {
  function next({ ask, upstream }: Waiting, loadOf: (id: number) => Load | null): Upstream | null {
    const { source, model, destination } = ask
    const candidates = upstreams.serving(source, model).flatMap((each): Candidate[] => {
      const load = (destination.allowedUpstreams?.has(each.id) ?? true) ? loadOf(each.id) : null
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

  async function moveSome(source: Source, waiting: readonly Waiting[]): Promise<Map<string, Upstream>> {
    return open.transaction(async trx => {
      const moved = new Map<string, Upstream>()
      const scope = { source, user_ids: [...new Set(waiting.map(({ ask }) => ask.caller.user_id))] }
      const queues = await lockQueues(trx, scope, waiting.length)
      const { accounts } = sources.of(source).asks ?? {}
      for (const each of waiting) {
        const to = next(each, queues.find)
        if (to === null) continue
        const { ask_id, caller, conversation_id, destination } = each.ask
        const turn = queues.join(to.id, caller.user_id, true)
        if (!(await queueStore(trx).move(ask_id, { upstream_id: to.id, ...turn }))) continue
        const source_id = accounts?.afterMove(destination.source_id, to) ?? null
        if (conversation_id !== null)
          await conversationStore(trx).change(conversation_id, { upstream_id: to.id, source_id })
        moved.set(ask_id, to)
      }
      return moved
    })
  }

  return async (waiting: readonly Waiting[]): Promise<Map<string, Upstream>> => {
    // Mostly everybody stays, and nothing is locked. Asks never leave an upstream of one's own.
    const moving = waiting.filter(each => each.upstream.user_id === null && next(each, () => IDLE) !== null)
    const moved = new Map<string, Upstream>()
    for (let start = 0; start < moving.length; start += MAX_PEOPLE) {
      const some = moving.slice(start, start + MAX_PEOPLE)
      const source = some[0]?.ask.source ?? 'openai_api' // those that wait for one upstream are of its source
      for (const [ask_id, to] of await moveSome(source, some)) moved.set(ask_id, to)
    }
    return moved
  }
}
