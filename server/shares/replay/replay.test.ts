import { describe, expect, test } from 'vitest'
import { type Member, THOUSANDTHS } from '#server/limits/shares/pool.ts'
import { answerOf } from '#server/limits/shares/poolAnswer.ts'
import type { PoolView } from '#server/limits/shares/pools.ts'
import { openRun, type PastAsk, replay, type Rules } from './replay.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const KEY = 'asks rolling 18000 *'

const pool = (capacity: number, sharing: 'shares' | 'first_come' = 'shares'): PoolView['pool'] => ({
  upstream_ids: [1],
  key: 'one',
  label: '主账号',
  names: 'full',
  reported: new Set(),
  source: 'openai_api',
  sharing,
  settings: {
    windows: [
      {
        key: KEY,
        unit: 'asks',
        amount: capacity * THOUSANDTHS,
        window: { kind: 'rolling', seconds: 18_000 },
        models: null,
        reported: null,
      },
    ],
    keep: 'nothing',
    reserve_percent: 0,
    owner_id: null,
    time_zone: 'UTC',
  },
})

const member = (user_id: number, weight = 1): Member => ({
  user_id,
  weight,
  may_borrow: true,
  asked_at: null,
  usual: null,
})
const rules = (capacity: number, weights: Record<number, number> = { 1: 1, 2: 1 }): Rules => ({
  pool: pool(capacity),
  members: new Map(Object.entries(weights).map(([id, weight]) => [Number(id), member(Number(id), weight)])),
})

const ask = (user_id: number, time: number, fields: Partial<PastAsk> = {}): PastAsk => ({
  user_id,
  time,
  model: 'gpt_4',
  need: { asks: THOUSANDTHS, tokens: 100, money: 0 },
  charged: THOUSANDTHS,
  ...fields,
})

describe('a run through the past', () => {
  test('answers, borrows and refuses in the order in which it was asked', () => {
    const run = openRun(rules(4))
    run.takeAsGiven(ask(2, 0)) // is awake, and has half of it
    const asks = [1, 1, 1, 1, 2].map((user, at) => ask(user, DAY + at))
    expect(asks.map(each => run.ask(each))).toEqual(['own', 'own', 'borrowed', 'borrowed', 'refused'])
    expect(run.tallies.get(1)).toEqual({ answered: 4, borrowed: 2, refused: 0 })
    expect(run.tallies.get(2)).toEqual({ answered: 0, borrowed: 0, refused: 1 })
  })
  test('remembers when each has asked last, also those whom it does not know', () => {
    const seen: unknown[] = []
    const looking: typeof answerOf = (view, asked) => {
      seen.push([...view.facts.members.values()].map(({ user_id, asked_at }) => [user_id, asked_at]))
      return answerOf(view, asked)
    }
    const run = openRun(rules(9, { 1: 1 }), looking)
    run.ask(ask(1, 5))
    run.ask(ask(7, 9))
    expect(seen).toEqual([
      [[1, 5]],
      [
        [1, 5],
        [7, 9],
      ],
    ])
  })
  test('keeps what somebody within their share was refused, until they are answered', () => {
    const claims: number[][] = []
    const looking: typeof answerOf = (view, asked) => {
      claims.push([...view.facts.claims.keys()])
      const may = asked.model === 'free'
      const verdict = may
        ? ({ may, borrowed: false, lender_id: null, window_key: null } as const)
        : ({ may, reason: 'empty', window_key: KEY, opens_at: null, within_share: true } as const)
      return { view, ask: asked, verdict, isPriced: false }
    }
    const run = openRun(rules(1), looking)
    run.ask(ask(1, 1))
    run.ask(ask(1, 2, { model: 'free' }))
    run.ask(ask(1, 3))
    expect(claims).toEqual([[], [1], []])
  })
  test('counts what came before it, and says nothing of it', () => {
    const run = openRun(rules(1))
    run.takeAsGiven(ask(1, 1))
    expect(run.ask(ask(2, 2))).toBe('refused')
    expect(run.tallies.get(1)).toBeUndefined()
  })
})

describe('a replay', () => {
  test('compares the same asks by the rules as they are and as they would be', async () => {
    const past = [ask(1, 1), ask(1, 2), ask(2, 3), ask(2, 4)]
    const found = await replay({ from: 0, past, before: rules(2), after: rules(3) })
    expect(found).toMatchObject({ asks: 4, ended_at: null })
    const refused = [found.before, found.after].map(of =>
      [...of.values()].reduce((sum, tally) => sum + tally.refused, 0),
    )
    expect(refused).toEqual([2, 1])
  })
  test('asks again only from its beginning on', async () => {
    const past = [ask(1, 1), ask(1, 2), ask(2, 3)]
    const { asks, before } = await replay({ from: 3, past, before: rules(9), after: rules(9) })
    expect(asks).toBe(1)
    expect([...before.keys()]).toEqual([2])
  })
  test('ends where it has taken long enough, for both at the same ask', async () => {
    const past = Array.from({ length: 5_000 }, (_, at) => ask(1, at * HOUR))
    const found = await replay({ from: 0, past, before: rules(9), after: rules(9), budget_ms: 0 })
    expect(found.asks).toBeLessThan(5_000)
    expect(found.ended_at).toBe((found.asks - 1) * HOUR)
    expect(found.before.get(1)).toEqual(found.after.get(1))
  })
  test('lets others have their turn', async () => {
    let turns = 0
    const counting = setInterval(() => turns++, 1)
    const past = Array.from({ length: 1_500 }, (_, at) => ask(at % 2, at))
    await replay({ from: 0, past, before: rules(2_000), after: rules(2_000), budget_ms: 60_000 })
    clearInterval(counting)
    expect(turns).toBeGreaterThan(0)
  })
  test('of nothing is nothing', async () => {
    expect(await replay({ from: 0, past: [], before: rules(1), after: rules(1) })).toMatchObject({
      asks: 0,
      ended_at: null,
    })
  })
})
