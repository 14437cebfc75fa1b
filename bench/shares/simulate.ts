import {
  type Claim,
  type Member,
  type PoolFacts,
  type PoolWindow,
  THOUSANDTHS,
} from '../../server/limits/shares/pool.ts'
import { poolSpan } from '../../server/limits/shares/poolSpan.ts'
import { openPoolState } from '../../server/limits/shares/poolState.ts'
import type { ShareAsk } from '../../server/limits/shares/shareRule.ts'
import { type HalfHour, usualFrom } from '../../server/limits/shares/usual.ts'
import { START, type Wish } from './groups.ts'
import { type Decision, SHARING_RULES, type SharingRuleName } from './sharingRules.ts'

const MINUTE = 60_000
const HALF_HOUR = 30 * MINUTE
const DAY = 86_400_000
/** How often those who wait try again, and how long a person waits before they leave. */
const TRY_EVERY = 10 * MINUTE
const PATIENCE = 60 * MINUTE
const MODEL = 'any'

export type Outcome = {
  wanted: number
  served: number
  /** Wishes that came within the share of their person; those of them that were refused when they came. */
  within_share: number
  refused_within_share: number
  refused: number
  /** Of those who were refused within their share: until they were served, or left. */
  longest_wait: number
  served_by: ReadonlyMap<number, number>
  wanted_by: ReadonlyMap<number, number>
}

type Waiting = Wish & { within_share: boolean }

/** The same wishes under a rule, from an empty history on; what is counted begins after `history_days`. */
export function simulate(
  rule: SharingRuleName,
  {
    wishes,
    people,
    window,
    history_days,
  }: { wishes: readonly Wish[]; people: number; window: PoolWindow; history_days: number },
): Outcome {
  const pool = openPool(people, window)
  const counts = openCounts(START + history_days * DAY)
  let waiting: Waiting[] = []
  let next_try = START
  const decide = (at: number, user_id: number): Decision => {
    pool.facts.now = at
    const decision = SHARING_RULES[rule](pool.facts, window, askOf(user_id))
    if (decision.may) pool.serve(at, user_id, decision)
    return decision
  }
  const tryWaiting = (now: number): void => {
    pool.facts.now = now
    for (const wish of waiting) if (now - wish.at >= PATIENCE) counts.leave(wish, now)
    const present = waiting.filter(wish => now - wish.at < PATIENCE)
    const served = serveWaiting(present, rule, wish => pool.left() >= THOUSANDTHS && decide(now, wish.user_id).may)
    for (const wish of served) counts.serveLate(wish, now)
    waiting = present.filter(wish => !served.has(wish))
  }
  for (const wish of wishes) {
    while (next_try <= wish.at) {
      pool.learn(next_try)
      tryWaiting(next_try)
      next_try += TRY_EVERY
    }
    const decision = decide(wish.at, wish.user_id)
    counts.decide(wish, decision)
    if (decision.may) continue
    if (decision.within_share && rule === 'shares that lend') pool.claim(wish)
    waiting.push({ ...wish, within_share: decision.within_share })
  }
  return counts.outcome()
}

/** Where there are shares those within theirs go first, as they came. Where one borrower is refused all are. */
function serveWaiting(
  waiting: readonly Waiting[],
  rule: SharingRuleName,
  serves: (wish: Waiting) => boolean,
): Set<Waiting> {
  const hasShares = rule === 'shares that lend' || rule === 'threshold'
  const within = (wish: Waiting): number => (hasShares && wish.within_share ? 1 : 0)
  const [served, refused] = [new Set<Waiting>(), new Set<number>()]
  for (const wish of waiting.toSorted((one, other) => within(other) - within(one))) {
    const key = rule === 'first come' || (hasShares && within(wish) === 0) ? ANYBODY : wish.user_id
    if (refused.has(key)) continue
    if (serves(wish)) served.add(wish)
    else refused.add(key)
  }
  return served
}

/** For those of whom one is as good as another. */
const ANYBODY = 0

const askOf = (user_id: number): ShareAsk => ({
  ...{ user_id, model: MODEL, charged: 1000, quiet: false },
  need: { asks: THOUSANDTHS, tokens: 0, money: 0 },
})

function openPool(people: number, window: PoolWindow) {
  const settings = { windows: [window], keep: 'usual' as const, reserve_percent: 0, owner_id: null, time_zone: 'UTC' }
  const members = new Map<number, Member>()
  for (let user_id = 1; user_id <= people; user_id++)
    members.set(user_id, { ...{ user_id, weight: 1, may_borrow: true, asked_at: null, usual: null } })
  const halfHours = new Map<number, HalfHour[]>()
  const claims = new Map<number, Claim>()
  const openings = new Map<string, number>()
  const state = openPoolState(settings)
  const facts: PoolFacts = { ...{ settings, state, members, running: [], claims, gifts: [], openings, now: START } }
  return {
    facts,
    left: (): number => {
      const { from, to } = poolSpan(facts, window, facts.now)
      return window.amount - state.costWithin(window.key, from, to)
    },
    claim: ({ user_id, at }: Wish) => claims.set(user_id, { time: at, need: askOf(user_id).need }),
    serve: (at: number, user_id: number, { borrowed_key, lender_id }: Decision): void => {
      if (window.window.kind === 'from_first' && !poolSpan(facts, window, at).is_open) openings.set(window.key, at)
      claims.delete(user_id)
      const used = { asks: THOUSANDTHS, tokens: 0, money: 0 }
      state.add({ ...{ user_id, asked_time: at, model: MODEL, charged: 1000, borrowed_key, lender_id }, ...used })
      const rows = halfHours.get(user_id) ?? []
      const start_time = Math.floor(at / HALF_HOUR) * HALF_HOUR
      const last = rows.at(-1)
      if (last?.start_time === start_time) last.asks += THOUSANDTHS
      else rows.push({ start_time, model: MODEL, ...used })
      halfHours.set(user_id, rows)
    },
    /** Once a day, at night. */
    learn: (now: number): void => {
      if ((now - START) % DAY !== 4 * 2 * HALF_HOUR) return
      for (const member of members.values())
        member.usual = usualFrom(halfHours.get(member.user_id) ?? [], settings, now)
    },
  }
}

function openCounts(from: number) {
  const [served_by, wanted_by] = [new Map<number, number>(), new Map<number, number>()]
  const counts = { wanted: 0, served: 0, within_share: 0, refused_within_share: 0, refused: 0, longest_wait: 0 }
  const add = (sums: Map<number, number>, user_id: number) => sums.set(user_id, (sums.get(user_id) ?? 0) + 1)
  const serve = (user_id: number) => {
    counts.served++
    add(served_by, user_id)
  }
  const wait = ({ at, within_share }: Waiting, now: number) => {
    if (within_share) counts.longest_wait = Math.max(counts.longest_wait, now - at)
  }
  return {
    decide: ({ at, user_id }: Wish, { may, within_share }: Decision): void => {
      if (at < from) return
      counts.wanted++
      add(wanted_by, user_id)
      if (within_share) counts.within_share++
      if (may) serve(user_id)
      else counts.refused++
      if (!may && within_share) counts.refused_within_share++
    },
    serveLate: (wish: Waiting, now: number): void => {
      if (wish.at < from) return
      serve(wish.user_id)
      wait(wish, now)
    },
    leave: (wish: Waiting, now: number): void => void (wish.at >= from && wait(wish, now)),
    outcome: (): Outcome => ({ ...counts, served_by, wanted_by }),
  }
}
