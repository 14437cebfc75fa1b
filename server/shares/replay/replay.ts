import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { type Claim, type Member, type Need, type PoolFacts, THOUSANDTHS } from '#server/limits/shares/pool.ts'
import { answerOf, isClaim, lineOf, shareOf } from '#server/limits/shares/poolAnswer.ts'
import type { PoolView } from '#server/limits/shares/pools.ts'
import { openPoolState } from '#server/limits/shares/poolState.ts'

/** An ask of the past, with what it used. Of one that was refused that is not known, and guessed. */
export type PastAsk = {
  user_id: number
  time: number
  model: string
  need: Need
  charged: number
}

/** Rules by which past asks are asked again: an account with its settings, and who may ask it with which weight. */
export type Rules = { pool: PoolView['pool']; members: ReadonlyMap<number, Member> }

export type Outcome = 'own' | 'borrowed' | 'refused'
type Answer = typeof answerOf

/** What became of asks of a person. */
export type Tally = { answered: number; borrowed: number; refused: number }

/** One run through the past by some rules: each ask is decided as admission does, and counts as soon as it is asked. */
export function openRun({ pool, members: given }: Rules, answer: Answer = answerOf) {
  const state = openPoolState(pool.settings)
  const members = new Map(given)
  const claims = new Map<number, Claim>()
  const openings = new Map<string, number>()
  const tallies = new Map<number, Tally>()

  function viewAt(now: number): PoolView {
    const facts: PoolFacts = {
      ...{ settings: pool.settings, state, members, running: [], claims, gifts: [], openings, now },
    }
    return { pool, facts, lentBy: () => 0 }
  }

  function asked({ user_id, time }: PastAsk): void {
    const member = members.get(user_id) ?? { user_id, weight: 1, may_borrow: true, asked_at: null, usual: null }
    members.set(user_id, { ...member, asked_at: time })
  }

  return {
    tallies,

    /** Was answered before the time that is looked at, whatever the rules say: it still counts in longer windows. */
    takeAsGiven(past: PastAsk): void {
      asked(past)
      const { user_id, model, charged, time, need } = past
      state.add({ ...need, user_id, model, charged, asked_time: time, borrowed_key: null, lender_id: null })
    },

    ask(past: PastAsk): Outcome {
      asked(past)
      const { user_id, model, need, charged, time } = past
      const answered = answer(viewAt(time), { user_id, model, need, charged, quiet: charged < THOUSANDTHS })
      const tally = tallies.get(user_id) ?? { answered: 0, borrowed: 0, refused: 0 }
      tallies.set(user_id, tally)
      const share = shareOf(answered, undefined)
      if (share === null) {
        if (isClaim(answered)) claims.set(user_id, { time, need })
        tally.refused += 1
        return 'refused'
      }
      for (const key of share.windows) openings.set(key, time)
      claims.delete(user_id)
      state.add(lineOf(answered.ask, share, { use: { tokens: need.tokens, cost: need.money }, now: time }))
      tally.answered += 1
      if (share.borrowed_key === null) return 'own'
      tally.borrowed += 1
      return 'borrowed'
    },
  }
}

/** Milliseconds: of the program’s time in all, and until others have their turn. */
const BUDGET_MS = 4_000
const SLICE_MS = 8

export type Replayed = {
  before: ReadonlyMap<number, Tally>
  after: ReadonlyMap<number, Tally>
  asks: number
  /** When the last ask was asked that time was enough for; null: it was enough for all of them. */
  ended_at: number | null
}

type Replaying = {
  from: number
  past: readonly PastAsk[]
  before: Rules
  after: Rules
  answer?: Answer
  budget_ms?: number
}

/**
 * The same asks by two sets of rules, in the order in which they came, up to the same moment. Others have their turn in
 * between, and what takes too long ends early.
 */
export async function replay({
  from,
  past,
  before,
  after,
  answer,
  budget_ms = BUDGET_MS,
}: Replaying): Promise<Replayed> {
  const runs = [openRun(before, answer), openRun(after, answer)] as const
  let asks = 0
  let busy_ms = 0
  let began = performance.now()
  for (const ask of past) {
    for (const run of runs) {
      if (ask.time < from) run.takeAsGiven(ask)
      else run.ask(ask)
    }
    if (ask.time >= from) asks += 1
    const took = performance.now() - began
    if (busy_ms + took > budget_ms) return result(ask.time)
    if (took < SLICE_MS) continue
    busy_ms += took
    await nextMacrotask()
    began = performance.now()
  }
  return result(null)

  function result(ended_at: number | null): Replayed {
    return { before: runs[0].tallies, after: runs[1].tallies, asks, ended_at }
  }
}
