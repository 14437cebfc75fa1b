import { fromMillionths } from '#contract/prices.ts'
import type { LimitUnit } from '#contract/plans.ts'
import type { RefusalValues } from '#contract/refusals.ts'
import type { ReservedShare } from '#server/asks/ask.ts'
import { spanOf } from '../windows.ts'
import type { DeniedShare } from '../shareRules.ts'
import { takenOfGifts } from './giving.ts'
import { poolIdOf } from './loadedPool.ts'
import { type Need, type PoolFacts, type PoolLine, type PoolWindow, THOUSANDTHS } from './pool.ts'
import type { PoolView } from './pools.ts'
import {
  firstComeVerdict,
  memberShares,
  poolShares,
  type ShareAsk,
  type ShareVerdict,
  shareVerdict,
} from './shareRule.ts'

/** What a pool says to an ask. */
export type PoolAnswer = {
  view: PoolView
  ask: ShareAsk
  verdict: ShareVerdict
  /** False where money is shared, and nobody knows what the model costs. */
  isPriced: boolean
}

/** What is left for a person in tokens and in millionths; null: not shared by them. */
export type UseBound = { tokens: number | null; money: number | null }

const NO_BOUND: UseBound = { tokens: null, money: null }

export function answerOf(view: PoolView, ask: ShareAsk, isPriced = true): PoolAnswer {
  const decide = view.pool.sharing === 'shares' ? shareVerdict : firstComeVerdict
  const isInMoney = windowsOf(view, ask.model).some(({ unit }) => unit === 'money')
  return { view, ask, verdict: decide(view.facts, ask), isPriced: isPriced || !isInMoney }
}

const windowsOf = ({ facts }: PoolView, model: string): PoolWindow[] =>
  facts.settings.windows.filter(window => isOf(window, model))

/** Whether tokens or money are shared by those who ask this model. */
export const countsUse = (view: PoolView, model: string): boolean =>
  windowsOf(view, model).some(({ unit }) => unit !== 'asks')

/** How much somebody who may ask may use at most: of their share, and what they could borrow. */
export function boundOf(answer: PoolAnswer | null): UseBound {
  if (answer === null || !answer.verdict.may || !countsUse(answer.view, answer.ask.model)) return NO_BOUND
  const { view, ask } = answer
  const facts = withCaller(view.facts, ask.user_id)
  const bound = { ...NO_BOUND }
  for (const { key, unit } of windowsOf(view, ask.model)) {
    const shares = unit === 'asks' ? null : poolShares(facts, key)
    if (shares === null || unit === 'asks') continue
    const left = Math.max(0, shares.capacity - shares.used)
    const mine = shares.members.find(({ user_id }) => user_id === ask.user_id)
    const own = Math.min(left, Math.max(0, (mine?.share ?? 0) - (mine?.used ?? 0)))
    const most = view.pool.sharing === 'shares' ? Math.min(left, own + (mine?.may_borrow ?? 0)) : left
    bound[unit] = Math.min(bound[unit] ?? Infinity, Math.max(most, ask.need[unit]))
  }
  return bound
}

/** Whoever asks has a share from now on. */
function withCaller(facts: PoolFacts, user_id: number): PoolFacts {
  const member = facts.members.get(user_id)
  if (member === undefined) return facts
  return { ...facts, members: new Map([...facts.members, [user_id, { ...member, asked_at: facts.now }]]) }
}

type Denied = Extract<ShareVerdict, { may: false }>

/** The refusal, where it says no. */
export function deniedBy({ view, ask, verdict, isPriced }: PoolAnswer, currency: string): DeniedShare | null {
  if (!isPriced) return { key: 'modelHasNoPrice', values: { model: ask.model }, opens_at: null }
  if (verdict.may) return null
  return {
    key: verdict.reason === 'empty' ? 'poolEmpty' : 'shareUsed',
    values: valuesOf(view, ask, verdict, currency),
    opens_at: verdict.opens_at,
  }
}

function valuesOf({ pool, facts }: PoolView, ask: ShareAsk, verdict: Denied, currency: string): RefusalValues {
  const refused = facts.settings.windows.find(({ key }) => key === verdict.window_key)
  const of = { upstream_id: poolIdOf(pool), account: pool.label }
  if (refused === undefined) return of
  const { unit, amount, window, models } = refused
  const mine = pool.sharing === 'shares' ? memberShares(withCaller(facts, ask.user_id), refused.key) : []
  const share = mine.find(({ user_id }) => user_id === ask.user_id)?.share ?? 0
  return {
    ...{ ...of, unit, share: shownAmount(unit, share), capacity: shownAmount(unit, amount) },
    ...{ window: window.kind, models: models?.join(' ') ?? null },
    ...('seconds' in window && { seconds: window.seconds }),
    ...(unit === 'money' && { currency }),
  }
}

/** As people read it: asks, tokens, the portal's currency. */
const shownAmount = (unit: LimitUnit, amount: number): number =>
  unit === 'asks' ? amount / THOUSANDTHS : unit === 'money' ? fromMillionths(amount) : amount

/** Somebody came within their share and there was nothing left: the next that comes back is theirs. */
export const isClaim = ({ view, ask, verdict }: PoolAnswer): boolean =>
  !verdict.may && verdict.reason === 'empty' && verdict.within_share && !view.facts.claims.has(ask.user_id)

/** What an ask uses at most by what is reserved for it, or did. */
type ReservedUse = { tokens: number; cost: number } | undefined

const needOf = (use: ReservedUse): Need => ({ asks: THOUSANDTHS, tokens: use?.tokens ?? 0, money: use?.cost ?? 0 })

/** What is stored with an ask that is admitted; null where it is refused. */
export function shareOf({ view, ask, verdict }: PoolAnswer, use: ReservedUse): ReservedShare | null {
  if (!verdict.may) return null
  const borrowed_key = verdict.borrowed ? verdict.window_key : null
  const gifts = takenOfGifts(view.facts, ask, verdict, needOf(use))
  return {
    ...(gifts !== null && { gifts }),
    borrowed_key,
    borrowed_unit: view.facts.settings.windows.find(({ key }) => key === borrowed_key)?.unit ?? null,
    lender_id: verdict.borrowed ? verdict.lender_id : null,
    pool_id: poolIdOf(view.pool),
    upstream_ids: [...view.pool.upstream_ids],
    windows: openedBy(view.facts, ask.model),
  }
}

/** What an admitted ask is to those who ask after it. */
export const lineOf = (
  { user_id, model, charged }: ShareAsk,
  share: ReservedShare,
  { use, now }: { use: ReservedUse; now: number },
): PoolLine => ({
  ...{ user_id, model, asked_time: now, ...needOf(use) },
  ...{ charged, borrowed_key: share.borrowed_key, lender_id: share.lender_id },
})

const isOf = ({ models }: PoolWindow, model: string): boolean => models === null || models.includes(model)

/** Keys of windows that begin with an ask of the model. */
function openedBy({ settings, openings, now }: PoolFacts, model: string): string[] {
  return settings.windows
    .filter(each => {
      if (each.window.kind !== 'from_first' || !isOf(each, model)) return false
      // The account itself says that it is open.
      if ((each.reported?.ends_at ?? 0) > now) return false
      const opened_at = openings.get(each.key) ?? null
      return spanOf(each.window, { now, time_zone: settings.time_zone, opened_at }).starts === null
    })
    .map(({ key }) => key)
}
