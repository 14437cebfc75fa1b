import {
  type Gift,
  type Member,
  type MemberUse,
  type PoolFacts,
  type PoolWindow,
  THOUSANDTHS,
  type Usual,
} from './pool.ts'
import { poolSpan, type PoolSpan, windowLength } from './poolSpan.ts'
import { costIn, count, countsIn, entryOf } from './poolState.ts'
import { usualBetween } from './usual.ts'

const DAY = 86_400_000
/** Who has not asked for so long is asleep: without a share until they ask again. */
export const ASLEEP_AFTER_MS = 14 * DAY
/** For so long something is kept for whoever came within their share and found the pool empty. */
export const CLAIM_LASTS_MS = DAY

/** Everybody who has a share at a moment. */
export type Crowd = { awake: readonly Member[]; weights: number; now: number }

/** When somebody asked last; -Infinity: never. */
export function lastAsked({ state, running }: PoolFacts, { user_id, asked_at }: Member): number {
  let last = Math.max(asked_at ?? -Infinity, state.last_asked.get(user_id) ?? -Infinity)
  for (const line of running) if (line.user_id === user_id && line.asked_time > last) last = line.asked_time
  return last
}

/** `user`: whoever asks now has a share, also after weeks. */
export function crowdAt(facts: PoolFacts, user: number | null, now: number): Crowd {
  const runs = new Set(facts.running.filter(line => line.asked_time + ASLEEP_AFTER_MS > now).map(line => line.user_id))
  const awake: Member[] = []
  let weights = 0
  for (const member of facts.members.values()) {
    const { user_id, asked_at } = member
    const last = Math.max(asked_at ?? -Infinity, facts.state.last_asked.get(user_id) ?? -Infinity)
    if (last + ASLEEP_AFTER_MS <= now && user_id !== user && !runs.has(user_id)) continue
    awake.push(member)
    weights += member.weight
  }
  return { awake, weights, now }
}

/** A window at a moment: what it has, what is used of it, and what makes up shares. */
export type WindowAt = {
  facts: PoolFacts
  window: PoolWindow
  span: PoolSpan
  crowd: Crowd
  capacity: number
  /** As the account counts it, with what running asks reserved. */
  used: number
  settled: ReadonlyMap<number, MemberUse>
  running: ReadonlyMap<number, MemberUse>
  reserve: number
  given: ReadonlyMap<number, number>
  /** What was granted from everybody's: it is taken before shares are parted. */
  granted: number
  usualOf: (usual: Usual, window_key: string) => number
  /** Of what somebody has beyond what they usually use: the part that is kept. */
  beyond: number
}

export function windowAt(facts: PoolFacts, window: PoolWindow, crowd: Crowd): WindowAt {
  const { settings, state } = facts
  const { now } = crowd
  const span = poolSpan(facts, window, now)
  const settled = state.useWithin(window.key, span.from, span.to)
  const running = new Map<number, MemberUse>()
  let used = settled.cost
  for (const line of facts.running) {
    if (!countsIn(window, line.model) || line.asked_time < span.from || line.asked_time >= span.to) continue
    used += costIn(window, line)
    count(running, entryOf(window, line), 1)
  }
  const at = {
    ...{ facts, window, span, crowd, running, capacity: window.amount },
    used: used + usedOutside(facts, window, now),
    settled: settled.members,
    reserve: settings.owner_id === null ? 0 : Math.min(window.amount, reserveOf(window, settings.reserve_percent)),
    given: NOBODY,
    granted: 0,
    ...keeping(span, window, now),
  }
  return facts.gifts.length === 0 ? at : withGifts(at)
}

const NOBODY: ReadonlyMap<number, number> = new Map()

/** The owner's, rounded up to whole asks. */
function reserveOf({ unit, amount }: PoolWindow, percent: number): number {
  const part = (amount * percent) / 100
  return unit === 'asks' ? Math.ceil(part / THOUSANDTHS) * THOUSANDTHS : Math.ceil(part)
}

/**
 * What the account says is used beyond what was asked here until then: somebody asks it elsewhere. It counts until the
 * window resets, or has passed once where it rolls.
 */
function usedOutside(facts: PoolFacts, window: PoolWindow, now: number): number {
  const { reported } = window
  if (reported === null || reported === undefined || reported.used === null) return 0
  const span = poolSpan(facts, window, Math.min(now, reported.at))
  if (now >= (reported.ends_at ?? span.ends ?? reported.at + windowLength(window))) return 0
  let here = facts.state.costWithin(window.key, span.from, reported.at + 1)
  for (const line of facts.running)
    if (countsIn(window, line.model) && line.asked_time >= span.from && line.asked_time <= reported.at)
      here += costIn(window, line)
  return Math.max(0, reported.used - here)
}

/** Of whom a gift is that was granted from everybody's. */
const EVERYBODY = 0

const movedBy = (now: number, { until, amount, used }: Gift): number => (now < until ? amount : Math.min(amount, used))

/**
 * With what members have of others' shares, less what they gave. Nobody gives more than they have; the owner of an
 * account has the reserve also while they are asleep.
 */
function withGifts(at: WindowAt): WindowAt {
  const { facts, window, crowd } = at
  const gifts = facts.gifts.filter(({ window_key }) => window_key === window.key)
  const ofEverybody = gifts.filter(({ from }) => from === EVERYBODY)
  const wanted = ofEverybody.reduce((sum, gift) => sum + movedBy(crowd.now, gift), 0)
  const granted = Math.min(wanted, at.capacity - at.reserve)
  const given = new Map<number, number>()
  const move = (to: number, by: number) => given.set(to, (given.get(to) ?? 0) + by)
  const members = new Map(crowd.awake.map(member => [member.user_id, member]))
  for (const gift of gifts) {
    if (gift.from === gift.to) continue
    const giver = members.get(gift.from)
    const asleep = gift.from === facts.settings.owner_id ? at.reserve + (given.get(gift.from) ?? 0) : 0
    const has = giver === undefined ? asleep : shareOf({ ...at, given, granted }, giver)
    const moved = gift.from === EVERYBODY ? movedBy(crowd.now, gift) : Math.min(movedBy(crowd.now, gift), has)
    if (moved <= 0) continue
    if (gift.from !== EVERYBODY) move(gift.from, -moved)
    move(gift.to, moved)
  }
  return { ...at, given, granted }
}

/** What is left of the reserve once something was granted from it. */
const reserveLeft = (at: WindowAt, owner_id: number): number =>
  Math.max(0, at.reserve + Math.min(0, at.given.get(owner_id) ?? 0) - usedBy(at, owner_id))

export function shareOf(at: WindowAt, { user_id, weight }: Member): number {
  const parted =
    at.crowd.weights === 0 ? 0 : Math.floor(((at.capacity - at.reserve - at.granted) * weight) / at.crowd.weights)
  const reserve = user_id === at.facts.settings.owner_id ? at.reserve : 0
  return parted + reserve + (at.given.get(user_id) ?? 0)
}

/** As it is charged; own and borrowed, settled and running. */
export const usedBy = (at: WindowAt, user_id: number): number =>
  (at.settled.get(user_id)?.charged ?? 0) + (at.running.get(user_id)?.charged ?? 0)

/** What of somebody's share nobody may borrow now. */
export function keptFor(at: WindowAt, member: Member): number {
  const left = Math.max(0, shareOf(at, member) - usedBy(at, member.user_id))
  return left === 0 ? 0 : keptOfLeft(at, member, left)
}

function keptOfLeft(at: WindowAt, { user_id, usual }: Member, left: number): number {
  const { keep, owner_id } = at.facts.settings
  // Less than an ask is of no use to its owner.
  const usable = at.window.unit === 'asks' ? left - (left % THOUSANDTHS) : left
  let kept = 0
  if (keep === 'share') kept = usable
  else if (keep === 'usual') {
    const expected = usual === null ? 0 : Math.min(usable, at.usualOf(usual, at.window.key))
    kept = Math.ceil(expected + (usable - expected) * at.beyond)
  }
  const claim = at.facts.claims.size === 0 ? undefined : at.facts.claims.get(user_id)
  if (claim !== undefined && at.crowd.now < claim.time + CLAIM_LASTS_MS)
    kept = Math.max(kept, Math.min(usable, claim.need?.[at.window.unit] ?? usable))
  if (user_id !== owner_id) return kept
  return Math.max(kept, Math.min(left, reserveLeft(at, user_id)))
}

/** Chosen by what the simulation shows (docs/fairness.md). */
const KEPT_BEYOND = 0.9
/** Where a window rolls, asks that leave it make room: it is kept for half of its length, and little beyond. */
const ROLLING = { part: 0.5, beyond: 0.08 }

/**
 * Until the window ends: what somebody usually uses, and of the rest of their share nine tenths of the part of the
 * window that is to come: at its beginning nearly all, at its end none.
 */
function keeping(span: PoolSpan, window: PoolWindow, now: number): Pick<WindowAt, 'usualOf' | 'beyond'> {
  const length = windowLength(window)
  if (span.ends !== null)
    return { usualOf: usualBetween(now, span.ends), beyond: KEPT_BEYOND * Math.min(1, (span.ends - now) / length) }
  const from = Math.floor(now / stepOf(window)) * stepOf(window)
  return window.window.kind === 'rolling'
    ? { usualOf: usualBetween(from, from + ROLLING.part * length), beyond: ROLLING.beyond }
    : { usualOf: usualBetween(from, from + length), beyond: KEPT_BEYOND }
}

/** For everybody but one. The reserve is kept for its owner, also while they are asleep. */
export function keptForOthers(at: WindowAt, user_id: number): number {
  const { owner_id } = at.facts.settings
  let kept = 0
  let isOwnerAwake = owner_id === user_id
  for (const member of at.crowd.awake) {
    if (member.user_id === user_id) continue
    if (member.user_id === owner_id) isOwnerAwake = true
    kept += keptFor(at, member)
  }
  if (!isOwnerAwake && owner_id !== null) kept += reserveLeft(at, owner_id)
  return kept
}

/** In steps of this what is kept in a rolling window changes: about a ninetieth of it. */
export function stepOf(window: PoolWindow): number {
  const length = windowLength(window)
  return STEPS.find(step => step * 96 >= length) ?? DAY
}

const STEPS = [1000, 10_000, 60_000, 300_000, 1_800_000, 7_200_000]
