import { type Need, type PoolFacts, type PoolWindow, THOUSANDTHS } from './pool.ts'
import { firstOpening } from './opening.ts'
import { crowdAt, keptFor, keptForOthers, shareOf, usedBy, type WindowAt, windowAt } from './parts.ts'
import { chargedOf, countsIn } from './poolState.ts'

export type ShareAsk = {
  user_id: number
  model: string
  need: Need
  /** Thousandths of the need that the person pays: 1000, or 500 for one that is asked when it is quiet. */
  charged: number
  /** Only what nobody uses or keeps is for it, also within one's share. */
  quiet: boolean
}

/**
 * `window_key`: where it was borrowed, or what refuses. `empty`: the pool has not enough left. `kept`: what is left is
 * kept for others. `no_borrowing`: the person may not borrow. `within_share`: an ask within the person's share that the
 * pool has not enough for: a claim. `opens_at`: when it may, if nobody does anything; null: waiting alone does not
 * help.
 */
export type ShareVerdict =
  | { may: true; borrowed: boolean; lender_id: number | null; window_key: string | null }
  | {
      may: false
      reason: 'empty' | 'kept' | 'no_borrowing'
      window_key: string
      opens_at: number | null
      within_share: boolean
    }

type Reason = 'own' | 'borrowed' | 'empty' | 'kept' | 'no_borrowing'
const MAY: ReadonlySet<Reason> = new Set(['own', 'borrowed'])

/** The rule of one window: one's own first, as long as the pool has it; then what nobody uses or keeps. */
function reasonIn(at: WindowAt, ask: ShareAsk): Reason {
  const need = ask.need[at.window.unit]
  const left = at.capacity - at.used
  if (need > left) return 'empty'
  const isWithin = isWithinShare(at, ask)
  if (isWithin && !ask.quiet) return 'own'
  if (!isWithin && !mayBorrow(at.facts, ask.user_id)) return 'no_borrowing'
  if (need > left - keptForOthers(at, ask.user_id)) return 'kept'
  return isWithin ? 'own' : 'borrowed'
}

function isWithinShare(at: WindowAt, { user_id, need, charged }: ShareAsk): boolean {
  const member = at.facts.members.get(user_id)
  if (member === undefined) return false
  return usedBy(at, user_id) + chargedOf(need[at.window.unit], charged) <= shareOf(at, member)
}

const mayBorrow = ({ members }: PoolFacts, user_id: number): boolean => members.get(user_id)?.may_borrow ?? true

/** Windows that an ask counts in; what costs nothing is refused by none. */
const windowsOf = ({ settings }: PoolFacts, { model, need }: ShareAsk): PoolWindow[] =>
  settings.windows.filter(window => countsIn(window, model) && need[window.unit] > 0)

type WindowReason = { window: PoolWindow; at: WindowAt; reason: Reason }

/** Without the moment at which it may: that takes longest. */
type Judgement = Extract<ShareVerdict, { may: true }> | { may: false; refusing: WindowReason[]; within_share: boolean }

export function judge(facts: PoolFacts, ask: ShareAsk): Judgement {
  const crowd = crowdAt(facts, ask.user_id, facts.now)
  const reasons = windowsOf(facts, ask).map(window => {
    const at = windowAt(facts, window, crowd)
    return { window, at, reason: reasonIn(at, ask) }
  })
  const refusing = reasons.filter(({ reason }) => !MAY.has(reason))
  if (refusing.length > 0)
    return { may: false, refusing, within_share: !ask.quiet && reasons.every(({ at }) => isWithinShare(at, ask)) }
  const borrowing = reasons.filter(({ reason }) => reason === 'borrowed')
  const [tightest] = borrowing.toSorted((one, other) => leftIn(one.at, ask) - leftIn(other.at, ask))
  if (tightest === undefined) return { may: true, borrowed: false, lender_id: null, window_key: null }
  const lender_id = lenderOf(tightest.at, ask.user_id)
  return { may: true, borrowed: true, lender_id, window_key: tightest.window.key }
}

/** All windows of the model must allow it; the one that binds is named. */
export function shareVerdict(facts: PoolFacts, ask: ShareAsk): ShareVerdict {
  const judgement = judge(facts, ask)
  return judgement.may ? judgement : refused(facts, ask, judgement.refusing, judgement.within_share)
}

/** What is left to borrow, as a part of the window. */
const leftIn = (at: WindowAt, { user_id }: ShareAsk): number =>
  (at.capacity - at.used - keptForOthers(at, user_id)) / Math.max(1, at.capacity)

/** The window that stays closed longest is named, and when all of them allow it. */
function refused(
  facts: PoolFacts,
  ask: ShareAsk,
  refusing: readonly WindowReason[],
  within_share: boolean,
): ShareVerdict {
  const allows = (window: PoolWindow, moment: number): boolean =>
    MAY.has(reasonIn(windowAt(facts, window, crowdAt(facts, ask.user_id, moment)), ask))
  const openings = refusing.map(each => ({ ...each, opens: firstOpening(facts, each.window, ask, allows, facts.now) }))
  const last = openings.toSorted((one, other) => (other.opens ?? Infinity) - (one.opens ?? Infinity))[0]
  if (last === undefined || last.reason === 'own' || last.reason === 'borrowed') throw new Error('nothing refuses')
  const opens_at = last.opens === null ? null : jointOpening(facts, ask, allows, last.opens)
  return { may: false, reason: last.reason, window_key: last.window.key, opens_at, within_share }
}

/** Windows close and open each other no more often than this. */
const MAX_ROUNDS = 20

/** A window that opens may find another one closed at that moment: from opening to opening until all are open. */
function jointOpening(
  facts: PoolFacts,
  ask: ShareAsk,
  allows: (window: PoolWindow, moment: number) => boolean,
  from: number,
): number | null {
  const windows = windowsOf(facts, ask)
  let moment = from
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const closed = windows.find(window => !allows(window, moment))
    if (closed === undefined) return moment
    const opens = firstOpening(facts, closed, ask, allows, moment)
    if (opens === null) return null
    moment = opens
  }
  return null
}

/** Whoever has most that is unused, not kept and not lent yet; 0: it is nobody's. */
function lenderOf(at: WindowAt, user_id: number): number {
  let [lender, most] = [0, 0]
  for (const member of at.crowd.awake) {
    if (member.user_id === user_id) continue
    const unused = shareOf(at, member) - usedBy(at, member.user_id) - keptFor(at, member) - lentBy(at, member.user_id)
    if (unused > most || (unused === most && unused > 0 && member.user_id < lender))
      [lender, most] = [member.user_id, unused]
  }
  return lender
}

const lentBy = (at: WindowAt, user_id: number): number =>
  (at.settled.get(user_id)?.lent ?? 0) + (at.running.get(user_id)?.lent ?? 0)

const borrowedBy = (at: WindowAt, user_id: number): number =>
  (at.settled.get(user_id)?.borrowed ?? 0) + (at.running.get(user_id)?.borrowed ?? 0)

/** The same for an account that is first come, first served: only whether the pool has enough. */
export function firstComeVerdict(facts: PoolFacts, ask: ShareAsk): ShareVerdict {
  const nobody = { awake: [], weights: 0 }
  const allows = (window: PoolWindow, now: number): boolean => {
    const at = windowAt(facts, window, { ...nobody, now })
    return ask.need[window.unit] <= at.capacity - at.used
  }
  const closed = windowsOf(facts, ask).filter(window => !allows(window, facts.now))
  const openings = closed.map(window => ({ window, opens: firstOpening(facts, window, ask, allows, facts.now) }))
  const last = openings.toSorted((one, other) => (other.opens ?? Infinity) - (one.opens ?? Infinity))[0]
  if (last === undefined) return { may: true, borrowed: false, lender_id: null, window_key: null }
  const opens_at = last.opens === null ? null : jointOpening(facts, ask, allows, last.opens)
  return { may: false, reason: 'empty', window_key: last.window.key, opens_at, within_share: false }
}

/** What is one member's of a window. The sums hold: `used` of all and `nobody` is what the pool has used. */
export type MemberShare = {
  user_id: number
  weight: number
  share: number
  /** As it is charged; own and borrowed, with what running asks reserved. */
  used: number
  borrowed: number
  lent: number
  kept: number
  /** What could be borrowed now. */
  may_borrow: number
}

export type PoolShares = {
  capacity: number
  /** As the account counts it. */
  used: number
  /** Of it: charged to no member, as half of what is asked when it is quiet. */
  nobody: number
  /** Null: it rolls, or nobody has opened it. */
  ends_at: number | null
  /** Of what was borrowed: from nobody's share. */
  lent_by_nobody: number
  /** All who have a share, or used something: those who are asleep have none. */
  members: MemberShare[]
}

/** Null: no such window. */
export function poolShares(facts: PoolFacts, window_key: string): PoolShares | null {
  const window = facts.settings.windows.find(({ key }) => key === window_key)
  if (window === undefined) return null
  const crowd = crowdAt(facts, null, facts.now)
  const at = windowAt(facts, window, crowd)
  const awake = new Set(crowd.awake)
  const kept = new Map([...facts.members.values()].map(member => [member, awake.has(member) ? keptFor(at, member) : 0]))
  const all_kept = keptForOthers(at, NOBODY)
  const members = [...facts.members.values()].flatMap(member => {
    const { user_id, weight, may_borrow } = member
    const used = usedBy(at, user_id)
    if (!awake.has(member) && used === 0 && lentBy(at, user_id) === 0) return []
    const share = awake.has(member) ? shareOf(at, member) : 0
    const own = Math.max(0, share - used)
    const spare = Math.max(0, at.capacity - at.used - (all_kept - (kept.get(member) ?? 0)) - own)
    return [
      {
        ...{ user_id, weight, share, used, borrowed: borrowedBy(at, user_id), lent: lentBy(at, user_id) },
        ...{ kept: kept.get(member) ?? 0, may_borrow: may_borrow ? spare : 0 },
      },
    ]
  })
  const used_by_members = members.reduce((sum, { used }) => sum + used, 0)
  const borrowed = members.reduce((sum, each) => sum + each.borrowed, 0)
  const lent = members.reduce((sum, each) => sum + each.lent, 0)
  return {
    ...{ capacity: at.capacity, used: at.used, nobody: at.used - used_by_members, ends_at: at.span.ends },
    ...{ lent_by_nobody: borrowed - lent, members },
  }
}

/** No person has this id. */
const NOBODY = 0

export const memberShares = (facts: PoolFacts, window_key: string): MemberShare[] =>
  poolShares(facts, window_key)?.members ?? []

/** When the next of one's own comes, and how much; null while some is left, and where none comes. */
export function nextOwn(facts: PoolFacts, window_key: string, user_id: number): { at: number; amount: number } | null {
  const window = facts.settings.windows.find(({ key }) => key === window_key)
  const member = facts.members.get(user_id)
  if (window === undefined || member === undefined) return null
  const least = window.unit === 'asks' ? THOUSANDTHS : 1
  const ownLeft = (moment: number): number => {
    const at = windowAt(facts, window, crowdAt(facts, user_id, moment))
    return Math.min(shareOf(at, member) - usedBy(at, user_id), at.capacity - at.used)
  }
  const need = { asks: least, tokens: least, money: least }
  const opens = firstOpening(facts, window, { need }, (_, moment) => ownLeft(moment) >= least, facts.now)
  return opens === null || opens === facts.now ? null : { at: opens, amount: ownLeft(opens) }
}
