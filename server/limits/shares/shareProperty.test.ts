import { describe, expect, test } from 'vitest'
import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import { type Random, randomFrom } from '#testing/random.ts'
import { keptForOthers, shareOf, usedBy, windowAt, crowdAt } from './parts.ts'
import { aMember, aWindow, DAY, HOUR, MODEL, NOW } from './pool.testing.ts'
import type { Member, Need, PoolFacts, PoolLine, PoolWindow } from './pool.ts'
import { poolSpan } from './poolSpan.ts'
import { openPoolState } from './poolState.ts'
import { judge, poolShares, type ShareAsk, shareVerdict } from './shareRule.ts'
import { type HalfHour, usualFrom } from './usual.ts'

/** Ten thousand schedules in all, in parts that can be repeated by their seed. */
const PARTS = [1, 2, 3, 4, 5]
const SCHEDULES = 2_000
const STEPS = 12

const WINDOWS: readonly LimitWindow[] = [
  { kind: 'rolling', seconds: 60 },
  { kind: 'rolling', seconds: 18_000 },
  { kind: 'rolling', seconds: 31_622_400 },
  { kind: 'from_first', seconds: 18_000 },
  { kind: 'day' },
  { kind: 'week' },
  { kind: 'month' },
]
const STEPS_OF_TIME = [0, 1, 1_000, 60_000, 600_000, HOUR, 5 * HOUR, DAY, 15 * DAY]

/** A pool, and how its clock and its people move on. */
type Schedule = {
  random: Random
  facts: PoolFacts
  windows: PoolWindow[]
  running: PoolLine[]
  members: Map<number, Member>
  settled: PoolLine[]
}

function aSchedule(seed: number): Schedule {
  const random = randomFrom(seed)
  const unit = random.of<LimitUnit>(['asks', 'asks', 'tokens', 'money'])
  const windows = Array.from({ length: 1 + random.below(2) }, (_, index) =>
    aWindow({
      ...{ key: `window ${index}`, unit, amount: random.of([0, 1, 2, 5, 20]) * 1000 },
      window: random.of(WINDOWS),
    }),
  )
  const keep = random.of(['usual', 'usual', 'share', 'nothing'] as const)
  const settings = {
    windows,
    keep,
    reserve_percent: random.of([0, 0, 10]),
    owner_id: random.of([null, 1]),
    time_zone: 'Europe/Berlin',
  }
  const members = new Map<number, Member>()
  const running: PoolLine[] = []
  for (let user_id = 1; user_id <= 1 + random.below(7); user_id++)
    members.set(user_id, aPerson(user_id, random, settings))
  const facts: PoolFacts = {
    ...{ settings, state: openPoolState(settings), members, running, claims: new Map(), gifts: [], now: NOW },
    openings: new Map(),
  }
  return { random, facts, windows, running, members, settled: [] }
}

function aPerson(user_id: number, random: Random, settings: PoolFacts['settings']): Member {
  const halfHours: HalfHour[] = Array.from({ length: random.below(20) }, () => {
    const start_time = NOW - random.below(27 * 48) * 1_800_000
    return { start_time, model: MODEL, asks: 1000, tokens: random.below(3000), money: random.below(3000) }
  })
  return aMember(user_id, {
    ...{ weight: random.of([0, 1, 1, 2, 1000]), may_borrow: random.percent(85) },
    ...{
      asked_at: random.percent(50) ? NOW - random.below(16 * 24) * HOUR : null,
      usual: usualFrom(halfHours, settings, NOW),
    },
  })
}

const needOf = (random: Random): Need => ({ asks: 1000, tokens: random.below(4000), money: random.below(4000) })

/** The clock moves, also back; somebody comes or goes; the account has more or less, or says when it resets. */
function change({ random, facts, windows, members }: Schedule): boolean {
  const choice = random.below(10)
  if (choice < 5) facts.now += random.of(STEPS_OF_TIME)
  else if (choice === 5) facts.now -= random.of([1, 60_000, HOUR])
  else if (choice === 6) members.delete(1 + random.below(7))
  else if (choice === 7) {
    const user_id = 1 + random.below(7)
    members.set(user_id, aPerson(user_id, random, facts.settings))
  } else if (choice === 8) {
    const window = windows[0]
    if (window !== undefined) window.amount = random.of([0, 1, 3, 20]) * 1000
    return true
  } else {
    const window = windows[0]
    const report = { used: random.percent(50) ? random.below(8) * 1000 : null, at: facts.now }
    if (window !== undefined) window.reported = { ...report, ends_at: facts.now + random.of([1, HOUR, 4 * HOUR]) }
    return true
  }
  return false
}

function serve(
  { facts, running }: Schedule,
  ask: ShareAsk,
  verdict: Extract<ReturnType<typeof judge>, { may: true }>,
): void {
  for (const window of facts.settings.windows)
    if (window.window.kind === 'from_first' && !poolSpan(facts, window, facts.now).is_open)
      (facts.openings as Map<string, number>).set(window.key, facts.now)
  const { user_id, need, charged, model } = ask
  const [borrowed_key, lender_id] = [verdict.borrowed ? verdict.window_key : null, verdict.lender_id]
  ;(facts.claims as Map<number, unknown>).delete(user_id)
  running.push({ ...need, user_id, asked_time: facts.now, model, charged, borrowed_key, lender_id })
}

/** Some that run end, having used what they reserved or less; some after a crash with nothing. */
function settle({ random, facts, running, settled }: Schedule): void {
  while (running.length > 0 && random.percent(60)) {
    const [line] = running.splice(random.below(running.length), 1)
    if (line === undefined || random.percent(10)) continue
    const used = { ...line, tokens: random.below(line.tokens + 1), money: random.below(line.money + 1) }
    settled.push(used)
    facts.state.add(used)
  }
}

const atNow = (facts: PoolFacts, window: PoolWindow, user_id: number) =>
  windowAt(facts, window, crowdAt(facts, user_id, facts.now))

/** The rule of design, said a second time and plainly: what each window has for an ask. */
function roomIn(facts: PoolFacts, window: PoolWindow, { user_id, need, charged }: ShareAsk) {
  const at = atNow(facts, window, user_id)
  const member = facts.members.get(user_id)
  const cost = need[window.unit]
  const left = at.capacity - at.used
  const isWithin =
    member !== undefined && usedBy(at, user_id) + Math.ceil((cost * charged) / 1000) <= shareOf(at, member)
  const spare = left - keptForOthers(at, user_id)
  return { cost, left, isWithin, spare, mayBorrow: member?.may_borrow ?? true }
}

function checkJudgement(facts: PoolFacts, ask: ShareAsk, judgement: ReturnType<typeof judge>): void {
  const rooms = facts.settings.windows
    .filter(({ unit }) => ask.need[unit] > 0)
    .map(window => roomIn(facts, window, ask))
  const isServed = rooms.every(
    ({ cost, left, isWithin, spare, mayBorrow }) =>
      cost <= left && ((isWithin && !ask.quiet) || ((isWithin || mayBorrow) && cost <= spare)),
  )
  expect(judgement.may).toBe(isServed)
  if (!judgement.may && judgement.within_share) expect(rooms.some(({ cost, left }) => cost > left)).toBe(true)
}

/** At that moment yes, and just before it no. Further ahead than two windows moments are to the half hour. */
function checkOpening(facts: PoolFacts, ask: ShareAsk, random: Random): void {
  const verdict = shareVerdict(facts, ask)
  if (verdict.may) return
  const mayAt = (now: number) => judge({ ...facts, now }, ask).may
  const { opens_at } = verdict
  if (opens_at === null) {
    expect(mayAt(facts.now + random.below(40 * DAY))).toBe(false)
    return
  }
  expect(opens_at).toBeGreaterThan(facts.now)
  expect(mayAt(opens_at)).toBe(true)
  const near = Math.min(
    ...facts.settings.windows.map(({ window }) => ('seconds' in window ? window.seconds * 2000 : DAY)),
  )
  if (opens_at > facts.now + near) return
  expect(mayAt(opens_at - 1)).toBe(false)
  expect(mayAt(facts.now + Math.floor(random.next() * (opens_at - facts.now)))).toBe(false)
}

/** What the pool has used is the sum of its lines; what was borrowed was lent. */
function checkSums({ facts, settled, running }: Schedule): void {
  for (const window of facts.settings.windows) {
    const shares = poolShares(facts, window.key)
    const { from, to } = poolSpan(facts, window, facts.now)
    const lines = [...settled, ...running].filter(({ asked_time }) => asked_time >= from && asked_time < to)
    const sum = lines.reduce((total, line) => total + line[window.unit], 0)
    if (!window.reported) expect(shares?.used).toBe(sum)
    expect(shares?.used).toBeGreaterThanOrEqual(sum)
    const members = shares?.members ?? []
    const total = (of: (member: (typeof members)[number]) => number) => members.reduce((all, each) => all + of(each), 0)
    expect(total(({ used }) => used) + (shares?.nobody ?? 0)).toBe(shares?.used)
    expect(total(({ borrowed }) => borrowed)).toBe(total(({ lent }) => lent) + (shares?.lent_by_nobody ?? 0))
    expect(total(({ share }) => share)).toBeLessThanOrEqual(window.amount)
    for (const { kept, share } of members) expect(kept).toBeLessThanOrEqual(share)
  }
}

describe('after any schedule', () => {
  test.each(PARTS)('the rule holds, moments are true, sums agree, and nothing is overdrawn (%d)', part => {
    for (let schedule = 0; schedule < SCHEDULES; schedule++) {
      const seed = part * 100_000 + schedule
      const course = aSchedule(seed)
      const { facts, random } = course
      let hasChanged = false
      try {
        for (let step = 0; step < STEPS; step++) {
          hasChanged = change(course) || hasChanged
          settle(course)
          const user_id = random.of([...course.members.keys(), 1])
          if (!course.members.has(user_id)) continue
          const quiet = random.percent(15)
          const ask: ShareAsk = { user_id, model: MODEL, need: needOf(random), charged: quiet ? 500 : 1000, quiet }
          const judgement = judge(facts, ask)
          checkJudgement(facts, ask, judgement)
          if (random.percent(3)) checkOpening(facts, ask, random)
          if (judgement.may) serve(course, ask, judgement)
          else if (judgement.within_share)
            (facts.claims as Map<number, unknown>).set(user_id, { time: facts.now, need: ask.need })
        }
        checkSums(course)
      } catch (error) {
        throw new Error(`schedule ${seed}`, { cause: error })
      }
    }
  })
})
