import type { AdmittedAsk, RequestedAsk, Reserved } from '#server/asks/ask.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { answerOf, countsUse, lineOf, type PoolAnswer, shareOf } from '#server/limits/shares/poolAnswer.ts'
import { poolIdOf } from '#server/limits/shares/loadedPool.ts'
import { poolStore } from '#server/limits/shares/poolStore.ts'
import { type Need, THOUSANDTHS } from '#server/limits/shares/pool.ts'
import type { LockedPools, PoolView } from '#server/limits/shares/pools.ts'
import { giftStore } from '#server/usage/giftStore.ts'
import type { Candidate, Upstream } from '#server/upstreams/upstream.ts'
import { chargedOf } from '#server/asks/charged.ts'

/** What the pools of accounts say to an ask; null of an account that has no windows. */
export type PoolAnswers = ReadonlyMap<number, PoolAnswer | null>

/** An ask, and what it needs of an upstream. */
export type NeedAt = (upstream: Upstream) => Promise<{ need: Need; isPriced: boolean }>

const ONE_ASK = { need: { asks: THOUSANDTHS, tokens: 0, money: 0 }, isPriced: true }

/** Under the lock of the queues. Only where tokens or money are shared they are counted. */
export async function readPoolAnswers(
  pools: LockedPools,
  asked: Pick<RequestedAsk, 'caller' | 'model' | 'quiet_until' | 'relay'>,
  upstreams: Iterable<Upstream>,
  needAt: NeedAt,
): Promise<PoolAnswers> {
  const answers = new Map<number, PoolAnswer | null>()
  const { caller, model, quiet_until } = asked
  const charged = chargedOf(asked)
  const ask = { user_id: caller.user_id, model, charged, quiet: quiet_until !== null }
  for (const upstream of upstreams) {
    const view = boundedBy(caller, await pools.of(upstream.id, caller.user_id))
    const isCounted = view !== null && countsUse(view, model)
    const { need, isPriced } = isCounted ? await needAt(upstream) : ONE_ASK
    answers.set(upstream.id, view === null ? null : answerOf(view, { ...ask, need }, isPriced))
  }
  return answers
}

/** The pool as it is for somebody whose key does not borrow. */
function boundedBy({ user_id, bounds }: RequestedAsk['caller'], view: PoolView | null): PoolView | null {
  const member = view?.facts.members.get(user_id)
  if (view === null || member === undefined || bounds === null || bounds.may_borrow) return view
  const members = new Map([...view.facts.members, [user_id, { ...member, may_borrow: false }]])
  return { ...view, facts: { ...view.facts, members } }
}

export const mayAsk = (answers: PoolAnswers, upstream_id: number): boolean => {
  const answer = answers.get(upstream_id) ?? null
  return answer === null || (answer.verdict.may && answer.isPriced)
}

/** When an account has something for the person again; never is last. */
const opensAt = (answers: PoolAnswers, upstream_id: number): number => {
  const answer = answers.get(upstream_id) ?? null
  if (answer === null) return 0
  if (!answer.isPriced) return Infinity
  return answer.verdict.may ? 0 : (answer.verdict.opens_at ?? Infinity)
}

/** Those where the person may ask now; where there is none, those where they may first. */
export function whereOneMayAsk(candidates: readonly Candidate[], answers: PoolAnswers): Candidate[] {
  const open = candidates.filter(({ upstream }) => mayAsk(answers, upstream.id))
  if (open.length > 0) return open
  const first = Math.min(...candidates.map(({ upstream }) => opensAt(answers, upstream.id)))
  return candidates.filter(({ upstream }) => opensAt(answers, upstream.id) === first)
}

/** With the share that it is of, where the account is shared. */
export function withShare(reserved: Reserved, answer: PoolAnswer | null): Reserved {
  const share = answer === null ? null : shareOf(answer, reserved.use)
  return share === null ? reserved : { ...reserved, share }
}

const DAY = 86_400_000

/** Writes what an admitted ask changes of its pool, and has the asks after it know of it. */
export function persistShare(
  trx: Transaction,
  pools: LockedPools,
  { view, ask }: PoolAnswer,
  { ask_id, reserved, create_time: now }: Pick<AdmittedAsk, 'ask_id' | 'reserved' | 'create_time'>,
): Promise<unknown>[] {
  const { share, use } = reserved
  if (share === undefined) return []
  const { pool_id, windows } = share
  pools.note(pool_id, lineOf(ask, share, { use, now }), windows)
  const store = poolStore(trx)
  const gifts = giftStore(trx)
  return [
    ...(share.gifts?.taken ?? []).map(taken => gifts.use({ ...taken, ask_id, asked_time: now })),
    ...windows.map(window_key => store.open({ pool_id, window_key, opened_at: now })),
    ...(view.facts.claims.has(ask.user_id)
      ? [store.dropClaims(pool_id, { user_id: ask.user_id, before: now - DAY })]
      : []),
  ]
}

export const storeClaim = (trx: Transaction, { view, ask }: PoolAnswer): Promise<unknown> =>
  poolStore(trx).claim(poolIdOf(view.pool), ask.user_id, { time: view.facts.now, need: ask.need })
