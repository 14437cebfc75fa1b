import type { LimitUnit } from '#contract/plans.ts'
import type { RequestedPart } from '#contract/shareLedger.ts'
import type { Database, Transaction } from '#server/foundation/database/open.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { type PoolFacts, THOUSANDTHS } from '#server/limits/shares/pool.ts'
import { giftStore } from '#server/usage/giftStore.ts'
import type { UsageRequestRow } from '#server/usage/requestStore.ts'
import { userStore } from '#server/users/store.ts'
import type { Dependencies } from './gifts.ts'
import { type GivingPool, poolId, requireShares, sentShare, type WholeWindow, wholeWindow } from './pools.ts'

type Decider = { id: number; is_superuser: boolean }

export type AccountGrants = ReturnType<typeof openAccountGrants>

/** Requests for more of an account: whom they go to, whose part it would be, and what is granted. */
export function openAccountGrants({ open, clock, configuration, pools }: Dependencies) {
  async function whole(database: Database, upstream_id: number, caller: number) {
    requireShares(pools.poolOf(upstream_id))
    const view = await pools.view(database, upstream_id, { now: clock.now(), caller_id: caller })
    const window = view === null ? null : wholeWindow(view.facts, caller)
    if (view === null || window === null || !view.facts.members.has(caller)) throw new Refusal('shareNotFound')
    return { ...view, window }
  }

  const ownerOf = (upstream_id: number): number | null => pools.poolOf(upstream_id)?.settings.owner_id ?? null

  /** An account keeps nothing for an owner whom it has not. */
  async function reserveOf(
    database: Database,
    { pool, facts }: { pool: GivingPool; facts: PoolFacts },
    window: WholeWindow,
  ) {
    const { owner_id, reserve_percent } = pool.settings
    if (owner_id === null) return null
    const { unit, key } = window.window
    const amount = wholeAmount(unit, (window.capacity * reserve_percent) / 100)
    const granted = await giftStore(database).ofReserve(poolId(pool), { key, since: window.starts, now: facts.now })
    // What an owner uses is of their share first.
    const unused = window.of(owner_id)?.left ?? amount
    return { owner_id, amount, left: Math.max(0, Math.min(amount - granted, unused)) }
  }

  return {
    /** For whoever may ask the account; until the end of its window unless it says otherwise. */
    async asked(user_id: number, upstream_id: number, unit: LimitUnit | undefined) {
      const { pool, window } = await whole(open.database, upstream_id, user_id)
      if (unit !== undefined && unit !== window.window.unit) throw invalid(['body', 'unit'], 'not counted there')
      const until = window.ends ?? window.latest
      return { upstream_id: poolId(pool), source: pool.source, unit: window.window.unit, until }
    },

    label: (upstream_id: number): string => pools.poolOf(upstream_id)?.label ?? '',

    mayDecide: ({ id, is_superuser }: Decider, upstream_id: number): boolean =>
      is_superuser || ownerOf(upstream_id) === id,

    /** Null: nobody has a share of the account any more, or the person may not ask it. */
    async part({ user_id, upstream_id }: UsageRequestRow, decider: number): Promise<RequestedPart | null> {
      const view =
        upstream_id === null
          ? null
          : await pools.view(open.database, upstream_id, { now: clock.now(), caller_id: user_id })
      const window = view === null ? null : wholeWindow(view.facts, user_id)
      const theirs = window?.of(user_id) ?? null
      if (view === null || window === null || theirs === null || view.pool.sharing !== 'shares') return null
      const { unit } = window.window
      const reserve = await reserveOf(open.database, view, window)
      const owner = reserve === null ? undefined : await userStore(open.database).nicknameOf(reserve.owner_id)
      return {
        window: window.window.window,
        share: sentShare(unit, theirs.share),
        used: sentShare(unit, theirs.used),
        borrowed: sentShare(unit, theirs.borrowed),
        reserve: reserve && {
          owner: owner?.nickname ?? '',
          is_mine: reserve.owner_id === decider,
          amount: sentShare(unit, reserve.amount),
          left: sentShare(unit, reserve.left),
        },
      }
    },

    /**
     * From what the account keeps for its owner, and never more; where it has none, from everybody's, which
     * administrators alone decide. Amounts as requests have them.
     */
    async grant(
      trx: Transaction,
      { user_id, upstream_id }: { user_id: number; upstream_id: number },
      { amount, until, unit }: { amount: number; until: number; unit: string },
    ): Promise<void> {
      const owner_id = ownerOf(upstream_id)
      // So that two at the same moment do not both find enough left.
      if (owner_id !== null) await userStore(trx).lock(owner_id, open.engine)
      const { pool, facts, window } = await whole(trx, upstream_id, user_id)
      // The windows have been changed since it was asked for.
      if (window.window.unit !== unit) throw new Refusal('shareNotFound')
      const counted = window.window.unit === 'asks' ? amount * THOUSANDTHS : amount
      const reserve = await reserveOf(trx, { pool, facts }, window)
      if (reserve !== null && counted > reserve.left)
        throw new Refusal('reserveTooSmall', {
          left: sentShare(window.window.unit, reserve.left),
          unit,
          currency: configuration().money.currency,
        })
      await giftStore(trx).insert({
        ...{ upstream_id: poolId(pool), window_key: window.window.key, unit, to_id: user_id, amount: counted },
        ...{ from_id: reserve?.owner_id ?? null, of_reserve: reserve !== null },
        ...{ create_time: clock.now(), until, end_time: until },
      })
    },
  }
}

/** Whole asks and cents of a cent, rounded up. */
const wholeAmount = (unit: LimitUnit, amount: number): number =>
  unit === 'asks' ? Math.ceil(amount / THOUSANDTHS) * THOUSANDTHS : Math.ceil(amount)
