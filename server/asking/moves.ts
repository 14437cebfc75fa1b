import type { Source } from '#contract/models.ts'
import type { AdmittedAsk } from '#server/asks/ask.ts'
import { MAX_USERS, queueStore } from '#server/asks/queueStore.ts'
import { conversationStore } from '#server/conversations/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { type PoolAnswer, shareOf } from '#server/limits/shares/poolAnswer.ts'
import { THOUSANDTHS } from '#server/limits/shares/pool.ts'
import type { LockedPools, Pools } from '#server/limits/shares/pools.ts'
import type { Sources } from '#server/sources/source.ts'
import { giftStore } from '#server/usage/giftStore.ts'
import { whereNext } from '#server/upstreams/choose.ts'
import { type Candidate, IDLE, type Load, type Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { lockQueues } from './lockedQueues.ts'
import { isSpokenBy } from './relayForms.ts'
import { mayAsk, persistShare, type PoolAnswers, readPoolAnswers } from './poolAnswers.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  sources: Sources
  upstreams: Pick<Upstreams, 'findFor' | 'serving'>
  pools: Pick<Pools, 'locked' | 'poolOf'>
}

/** An ask that waits, and the upstream that it waits for: it may have moved since it was admitted. */
export type Waiting = { ask: AdmittedAsk; upstream: Upstream }

/**
 * Moves waiting asks to another upstream when theirs is gone, paused or cooling, or no longer serves their model, as
 * far as their destination allows and the other one has something for the person. Each process moves the asks that wait
 * in it. Gives the new upstreams of the asks that were moved, by the ids of the asks.
 */
export function openMoves({ open, clock, sources, upstreams, pools }: Dependencies) {
  function next(
    { ask, upstream }: Waiting,
    loadOf: (id: number) => Load | null,
    answers: PoolAnswers = new Map(),
  ): Upstream | null {
    const { source, model, destination, relay } = ask
    const candidates = upstreams.serving(source, model).flatMap((each): Candidate[] => {
      const isAllowed = (destination.allowedUpstreams?.has(each.id) ?? true) && isSpokenBy(relay, each)
      const isOpen = isAllowed && mayAsk(answers, each.id)
      const load = isOpen ? loadOf(each.id) : null
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

  /** What the pools of other accounts say; within its own it counts already. */
  function answersTo(locked: LockedPools, { ask, upstream }: Waiting): Promise<PoolAnswers> {
    const { use, share } = ask.reserved
    const others = upstreams
      .serving(ask.source, ask.model)
      .filter(({ id }) => id !== upstream.id && share?.upstream_ids.includes(id) !== true)
    const need = { asks: THOUSANDTHS, tokens: use?.tokens ?? 0, money: use?.cost ?? 0 }
    return readPoolAnswers(locked, ask, others, () => Promise.resolve({ need, isPriced: true }))
  }

  async function moveSome(source: Source, waiting: readonly Waiting[]): Promise<Map<string, Upstream>> {
    return open.transaction(async (trx: Transaction) => {
      const moved = new Map<string, Upstream>()
      const scope = { source, user_ids: [...new Set(waiting.map(({ ask }) => ask.caller.user_id))] }
      const queues = await lockQueues(trx, scope, waiting.length)
      const locked = pools.locked(trx, clock.now())
      const { accounts } = sources.of(source).asks ?? {}
      for (const each of waiting) {
        const answers = await answersTo(locked, each)
        const to = next(each, queues.find, answers)
        if (to === null) continue
        const { ask_id, caller, conversation_id, destination } = each.ask
        const share = shareThere(each.ask, answers, to.id)
        const turn = { ...queues.join(to.id, caller.user_id, true), ...share }
        if (!(await queueStore(trx).move(ask_id, { upstream_id: to.id, ...turn }))) continue
        if (share !== null) await persistMove(trx, locked, each.ask, answers.get(to.id) ?? null)
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
    for (let start = 0; start < moving.length; start += MAX_USERS) {
      const some = moving.slice(start, start + MAX_USERS)
      const source = some[0]?.ask.source ?? 'openai_api' // those that wait for one upstream are of its source
      for (const [ask_id, to] of await moveSome(source, some)) moved.set(ask_id, to)
    }
    return moved
  }
}

type Share = Pick<AdmittedAsk, 'reserved'> & { borrows: boolean; lent: number }

/** Of whose share it is there; nothing where that stays. */
function shareThere({ reserved, caller }: AdmittedAsk, answers: PoolAnswers, upstream_id: number): Share | null {
  if (reserved.share?.upstream_ids.includes(upstream_id) === true) return null
  const answer = answers.get(upstream_id) ?? null
  const share = answer === null ? null : shareOf(answer, reserved.use)
  const { share: _before, ...others } = reserved
  return {
    reserved: share === null ? others : { ...others, share },
    borrows: share !== null && share.borrowed_key !== null,
    lent: answer?.view.lentBy(caller.user_id) ?? 0,
  }
}

/** What it took of gifts elsewhere is given back. Those that are moved after it know of it. */
async function persistMove(
  trx: Transaction,
  locked: LockedPools,
  { ask_id, reserved }: AdmittedAsk,
  answer: PoolAnswer | null,
): Promise<void> {
  if (reserved.share?.gifts !== undefined) await giftStore(trx).giveBack(ask_id, Infinity)
  const share = answer === null ? null : shareOf(answer, reserved.use)
  if (answer === null || share === null) return
  const create_time = answer.view.facts.now
  await Promise.all(persistShare(trx, locked, answer, { ask_id, reserved: { ...reserved, share }, create_time }))
}
