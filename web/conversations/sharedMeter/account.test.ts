import { describe, expect, test } from 'vitest'
import {
  atFoot,
  accountFullness,
  isFree,
  leastBusy,
  mostWorthKnowing,
  paceOf,
  pooled,
  queueOf,
  returnSteps,
  rounded,
  dotsOf,
  waitOf,
} from './account.ts'
import { aQueue, anAccount } from './builders.testing.ts'

describe('the dots', () => {
  test('are those who are answered, those who wait, and oneself', () => {
    expect(dotsOf(anAccount(aQueue(1, 2, 2)))).toEqual(['busy', 'waiting', 'you'])
    expect(dotsOf(anAccount(aQueue(1, 1, 0)))).toEqual(['you', 'waiting'])
  })
  test('are as many as there are people, even if the queue names fewer', () => {
    expect(dotsOf(anAccount(aQueue(2, 40)))).toHaveLength(42)
  })
})

describe('an estimate', () => {
  test('is rounded up to 10 s under two minutes, then to minutes', () => {
    expect([1, 31, 110, 119, 121, 300].map(rounded)).toEqual([10, 40, 110, 120, 180, 300])
  })
  test('for the queue is an answer’s time divided by the concurrency', () => {
    expect(paceOf(anAccount({ seconds_per_answer: 38 }))).toBe(40)
    expect(paceOf(anAccount({ seconds_per_answer: 80, places: 4 }))).toBe(20)
    expect(waitOf(2, anAccount({ seconds_per_answer: 38 }))).toBe(80)
  })
  test('is none before anybody was answered', () => {
    expect(paceOf(anAccount())).toBe(null)
    expect(waitOf(1, anAccount())).toBe(null)
  })
})

describe('a shared account', () => {
  test('is nearly full from 80 %, full at 100 % and beyond', () => {
    expect([39, 40, 49, 50, 52].map(used => accountFullness(anAccount({ used })))).toEqual([
      'calm',
      'warm',
      'warm',
      'full',
      'full',
    ])
  })
  test('without a limit is neither', () => {
    expect(accountFullness(anAccount({ used: 500, allowed: null }))).toBe(null)
  })
  test('is free while fewer are answered than may be, and nobody waits', () => {
    expect(isFree(anAccount())).toBe(true)
    expect(isFree(anAccount({ ...aQueue(1, 0), places: 2 }))).toBe(true)
    expect(isFree(anAccount(aQueue(1, 0)))).toBe(false)
  })
  test('is not free while it is paused', () => {
    expect(isFree(anAccount({ paused: true }))).toBe(false)
  })
  test('of several is chosen when it is the least busy one that is not paused', () => {
    const of = (upstream_id: number, more: object = {}) =>
      anAccount({ source: 'openai_api', upstream_id, places: 2, ...more })
    const accounts = [anAccount({ source: 'openai_web' }), of(2, aQueue(1, 0)), of(3, { paused: true }), of(4)]
    expect(leastBusy(accounts, 'openai_api')?.upstream_id).toBe(4)
    expect(leastBusy(accounts.slice(0, 3), 'openai_api')?.upstream_id).toBe(2)
    expect(leastBusy([of(3, { paused: true })], 'openai_api')).toBe(undefined)
  })
  test('has its queue in order, with positions for those who wait', () => {
    expect(queueOf(anAccount(aQueue(1, 2, 2))).map(({ position, is_me }) => [position, is_me])).toEqual([
      [null, false],
      [1, false],
      [2, true],
    ])
  })
})

describe('of several accounts', () => {
  const [first, busy, web] = [
    anAccount({ source: 'openai_api', upstream_id: 2, allowed: null }),
    anAccount({ source: 'openai_api', upstream_id: 3, allowed: null, ...aQueue(1, 1) }),
    anAccount({ upstream_id: 1 }),
  ]
  const PAUSED = { paused: true }
  const COOLING = { cooling_until: '2026-11-20T06:20:00.000Z' }

  test('one that is cooling is chosen only when all that are not paused are cooling', () => {
    const cooling = { ...first, ...COOLING }
    expect(leastBusy([cooling, busy], 'openai_api')).toBe(busy)
    expect(leastBusy([cooling, { ...busy, ...PAUSED }], 'openai_api')).toBe(cooling)
  })
  test('the account to show has a limit; of one source it is the next to be asked', () => {
    expect(mostWorthKnowing([first, web])).toBe(web)
    expect(mostWorthKnowing([{ ...web, allowed: null }, first])).toMatchObject({ upstream_id: 1 })
    expect(mostWorthKnowing([busy, first])).toBe(first)
    expect(mostWorthKnowing([])).toBe(undefined)
  })
  test('the account to show is preferably that in whose queue the user is, and not a paused one', () => {
    const withMe = { ...busy, ...aQueue(1, 1, 1) }
    expect(mostWorthKnowing([first, withMe])).toBe(withMe)
    expect(mostWorthKnowing([{ ...web, ...PAUSED }, first])).toBe(first)
    expect(mostWorthKnowing([{ ...web, ...PAUSED }])).toMatchObject(PAUSED)
  })
  test('three are shown at the foot of the list, in their order, with that in whose queue the user is', () => {
    const four = [1, 2, 3, 4].map(upstream_id => anAccount({ upstream_id }))
    const ids = (accounts: typeof four) => atFoot(accounts).map(account => account.upstream_id)
    expect(ids(four.slice(0, 2))).toEqual([1, 2])
    expect(ids(four)).toEqual([1, 2, 3])
    expect(ids([...four.slice(0, 3), anAccount({ upstream_id: 4, ...aQueue(1, 0, 0) })])).toEqual([1, 2, 4])
  })
})

describe('what returns', () => {
  const minute = (time: Date) => time.toISOString().slice(11, 16)

  test('within the same minute is one step', () => {
    const returns = [
      { at: '2026-11-20T14:20:01Z', count: 1 },
      { at: '2026-11-20T14:20:40Z', count: 2 },
      { at: '2026-11-20T15:00:00Z', count: 1 },
    ]
    expect(returnSteps(returns, minute)).toEqual([
      { time: '14:20', count: 3, at_once: false },
      { time: '15:00', count: 1, at_once: true },
    ])
  })
})

describe('the accounts of a pool', () => {
  const first = anAccount({ upstream_id: 1, pool: 1, ...aQueue(1, 2), label: '主账号' })
  const second = anAccount({
    upstream_id: 2,
    pool: 1,
    places: 2,
    ...aQueue(2, 0),
    cooling_until: '2026-11-20T06:20:00Z',
  })
  const other = anAccount({ upstream_id: 3 })

  test('are one, with the sums of their queues and those who are answered first', () => {
    const [pool, alone, ...none] = pooled([first, other, second])
    expect(pool).toMatchObject({ upstream_id: 1, label: '主账号', running: 3, waiting: 2, places: 3 })
    expect(pool?.line.map(({ state }) => state)).toEqual(['asking', 'asking', 'asking', 'queueing', 'queueing'])
    expect([alone, none]).toEqual([other, []])
  })
  test('rest when all of them do, until the first is back', () => {
    expect(pooled([first, second])[0]?.cooling_until).toBe(null)
    const later = { ...first, cooling_until: '2026-11-20T07:00:00Z' }
    expect(pooled([later, second])[0]?.cooling_until).toBe('2026-11-20T06:20:00Z')
    expect(pooled([{ ...first, paused: true }, second])[0]).toMatchObject({ paused: false })
  })
})
