import { describe, expect, test } from 'vitest'
import type { LimitUnit } from '#contract/plans.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { PolicyLimit } from '#server/policy/limitList.ts'
import type { Grant } from '#server/usage/requestStore.ts'
import { raisedBy } from './grants.ts'

const aLimit = (unit: LimitUnit, amount: number): PolicyLimit => ({
  ...{ source: 'openai_api', unit, amount, window: { kind: 'month' }, models: null, origin: { from: 'own' } },
  until: null,
})
const SETTING = {
  source: 'openai_api',
  total: { allowed: 10, used: 12 },
  total_ask_count: 0,
  models: new Map([
    ['gpt_4', { allowed: 5, used: 1 }],
    ['o1', { allowed: -1, used: 0 }],
  ]),
  rate_limits: [{ window_seconds: 60, max_requests: 2 }],
  limits: [
    aLimit('asks', 10),
    aLimit('tokens', 500),
    aLimit('money', 2_000_000),
    aLimit('money', -1),
    aLimit('asks', 0),
  ],
} as unknown as EffectiveSetting // of what is raised
const aGrant = (unit: LimitUnit, amount: number, source: Grant['source'] = 'openai_api'): Grant => ({
  source,
  unit,
  amount,
})
const amounts = (grants: readonly Grant[]) => raisedBy(SETTING, grants).limits.map(({ amount }) => amount)

describe('what was granted', () => {
  test('raises each limit of its unit that bounds anything, and none that is unlimited', () => {
    expect(amounts([aGrant('asks', 3)])).toEqual([13, 500, 2_000_000, -1, 3])
    expect(amounts([aGrant('tokens', 40)])).toEqual([10, 540, 2_000_000, -1, 0])
    expect(amounts([aGrant('money', 1)])).toEqual([10, 500, 2_000_001, -1, 0])
  })
  test('adds up, and is of its source alone', () => {
    expect(
      amounts([aGrant('asks', 3), aGrant('asks', 4), aGrant('money', 9), aGrant('asks', 100, 'openai_web')]),
    ).toEqual([...[17, 500, 2_000_009, -1, 7]])
  })
  test('raises the counts of asks and what remains of them, where more was used already too', () => {
    const raised = raisedBy(SETTING, [aGrant('asks', 3)])
    expect(raised).toMatchObject({ total: { allowed: 13, used: 12 }, total_ask_count: 1 })
    expect(Object.fromEntries(raised.models)).toEqual({
      gpt_4: { allowed: 8, used: 1 },
      o1: { allowed: -1, used: 0 },
    })
    expect(raised.rate_limits).toEqual([{ window_seconds: 60, max_requests: 5 }])
  })
  test('in tokens or money raises no count of asks', () => {
    const raised = raisedBy(SETTING, [aGrant('tokens', 3), aGrant('money', 3)])
    expect(raised).toMatchObject({ total: SETTING.total, total_ask_count: 0, rate_limits: SETTING.rate_limits })
  })
  test('changes nothing of what is stored, and nothing where there is none', () => {
    raisedBy(SETTING, [aGrant('asks', 3)])
    expect([SETTING.total.allowed, SETTING.limits[0]?.amount]).toEqual([10, 10])
    expect(raisedBy(SETTING, [])).toBe(SETTING)
  })
})
