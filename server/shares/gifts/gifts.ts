import type { BodyOf } from '#contract/call.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { LimitUnit } from '#contract/plans.ts'
import type { ShareLedger } from '#contract/shareLedger.ts'
import type { giveShare, ShareGift } from '#contract/shares.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { giftStore, type GiftWithUse } from '#server/usage/giftStore.ts'
import { userStore } from '#server/users/store.ts'
import { MAX_LINES, shareLedger } from './ledger.ts'
import { linesOf } from './lines.ts'
import {
  countedAmount,
  type GivingPool,
  iso,
  poolId,
  type PoolReading,
  requireShares,
  sentShare,
  shownName,
  wholeWindow,
} from './pools.ts'

export type Dependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  configuration(): Configuration
  pools: PoolReading
}

/** What people give each other of their shares. */
export function openGifts({ open, clock, configuration, pools }: Dependencies) {
  const currency = (): string => configuration().money.currency

  async function sent(database: Database, rows: readonly GiftWithUse[]): Promise<ShareGift[]> {
    const ids = rows.flatMap(({ from_id, to_id }) => [to_id, ...(from_id === null ? [] : [from_id])])
    const nicknames = await userStore(database).nicknamesOf([...new Set(ids)])
    return rows.map(row => sentGift(row, pools.poolOf(row.upstream_id), nicknames))
  }

  return {
    async give(giver: number, { upstream_id, user_id, amount, until }: BodyOf<typeof giveShare>): Promise<ShareGift> {
      requireShares(pools.poolOf(upstream_id))
      if (user_id === giver) throw new Refusal('giftToOneself')
      return open.transaction(async trx => {
        // So that two at the same moment do not both find enough left.
        await userStore(trx).lock(giver, open.engine)
        const now = clock.now()
        const view = await pools.view(trx, upstream_id, { now, caller_id: giver })
        const whole = view === null ? null : wholeWindow(view.facts, giver)
        const mine = whole?.of(giver) ?? null
        if (view === null || whole === null || mine === null) throw new Refusal('shareNotFound')
        // Whoever may ask it, also before they ever have.
        const theirs = await pools.view(trx, upstream_id, { now, caller_id: user_id })
        if (!theirs?.facts.members.has(user_id)) throw new Refusal('giftNotTo')
        const { unit, key } = whole.window
        const given = requireAmount(unit, amount)
        if (given > mine.left)
          throw new Refusal('giftTooMuch', { left: sentShare(unit, mine.left), unit, currency: currency() })
        const end_time = Date.parse(until)
        if (end_time <= now || end_time > whole.latest) throw new Refusal('giftTooLong', { ends_at: iso(whole.latest) })
        const row = await giftStore(trx).insert({
          ...{ upstream_id: poolId(view.pool), window_key: key, unit, from_id: giver, to_id: user_id, amount: given },
          ...{ create_time: now, until: end_time, end_time },
        })
        return one(await sent(trx, [{ ...row, used: 0 }]))
      })
    },

    /** What has been used of it stays given. */
    async takeBack(giver: number, id: number): Promise<ShareGift> {
      return open.transaction(async trx => {
        const store = giftStore(trx)
        await store.lock(id, open.engine)
        const gift = await store.find(id)
        if (gift === undefined || gift.from_id !== giver) throw new Refusal('giftNotFound')
        const now = clock.now()
        if (gift.end_time <= now || gift.used >= gift.amount) throw new Refusal('giftOver')
        await store.end(id, now)
        return one(await sent(trx, [{ ...gift, end_time: now }]))
      })
    },

    list: async (user_id: number): Promise<ShareGift[]> =>
      sent(open.database, await giftStore(open.database).ofPerson(user_id)),

    /** What happened to one's share of the longest window. */
    async ledger(user_id: number, upstream_id: number): Promise<ShareLedger> {
      const now = clock.now()
      requireShares(pools.poolOf(upstream_id))
      const view = await pools.view(open.database, upstream_id, { now, caller_id: user_id })
      const whole = view === null ? null : wholeWindow(view.facts, user_id)
      const mine = whole?.of(user_id) ?? null
      if (view === null || whole === null || mine === null) throw new Refusal('shareNotFound')
      const { pool, facts } = view
      const gifts = (await giftStore(open.database).ofPerson(user_id)).filter(
        gift => pool.upstream_ids.includes(gift.upstream_id) && gift.window_key === whole.window.key,
      )
      const others = new Set([
        ...facts.members.keys(),
        ...gifts.flatMap(({ from_id, to_id }) => [from_id ?? to_id, to_id]),
      ])
      const nicknames = await userStore(open.database).nicknamesOf([...others])
      const lines = await linesOf(open.database, {
        ...{ upstream_ids: pool.upstream_ids, user_id, since: whole.starts, limit: MAX_LINES },
      })
      return shareLedger({
        ...{ user_id, now, pool, whole, lines, gifts, currency: currency() },
        name: id => shownName(pool.names, nicknames.get(id)),
        sent: gift => sentGift(gift, pool, nicknames),
      })
    },
  }
}

function requireAmount(unit: LimitUnit, amount: number): number {
  const counted = countedAmount(unit, amount)
  if (counted === null || counted <= 0) throw new Refusal('giftNotWhole')
  return counted
}

function sentGift(row: GiftWithUse, pool: GivingPool | null, nicknames: ReadonlyMap<number, string>): ShareGift {
  const unit = row.unit as LimitUnit // only units of windows are stored
  const named = (id: number) => ({ id, name: shownName(pool?.names ?? 'none', nicknames.get(id)) })
  return {
    id: row.id,
    upstream_id: row.upstream_id,
    label: pool?.label ?? '',
    unit,
    amount: sentShare(unit, row.amount),
    used: sentShare(unit, Math.min(row.used, row.amount)),
    from: row.from_id === null ? null : named(row.from_id),
    to: named(row.to_id),
    of_reserve: row.of_reserve,
    time: iso(row.create_time),
    until: iso(row.until),
    taken_back_at: row.end_time < row.until ? iso(row.end_time) : null,
  }
}

function one<T>(list: readonly T[]): T {
  const [first] = list
  if (first === undefined) throw new Error('one row is one gift')
  return first
}
