import { describe, expect, test } from 'vitest'
import type { AccountWindow } from '#contract/shares.ts'
import { anUpstream } from '#web/admin/upstreams/state/builders.testing.ts'
import { aPlan, elders, family } from '../plans.testing.ts'
import { splitOf } from './split.ts'

const asks = (amount: number, window: AccountWindow['window']): AccountWindow => ({
  ...{ unit: 'asks', amount, window, models: null },
})
const FIVE_HOURS = asks(50, { kind: 'rolling', seconds: 18_000 })
const A_WEEK = asks(600, { kind: 'week' })
const weighing = (plan: typeof family, weight: number) => ({
  ...plan,
  in_force: { ...plan.in_force, share_weight: { ...plan.in_force.share_weight, value: weight } },
})
const PLANS = [weighing(aPlan({ people: 16 }), 0), weighing(family, 4), weighing(elders, 2)]
const shared = anUpstream({ sharing: 'shares', windows: [FIVE_HOURS, A_WEEK], reserve_percent: 12, owner_id: 1 })

describe('the longest window of an account', () => {
  test('is divided by weights among everybody in a plan that may ask it, behind what is its owner’s', () => {
    const split = splitOf(shared, PLANS)
    expect(split?.window).toEqual(A_WEEK)
    expect(split?.reserve).toBe(72)
    expect(split?.parts.map(({ plan, people, each }) => [plan.name, people, each])).toEqual([
      ['家人', 4, (528 * 4) / 20],
      ['长辈', 2, (528 * 2) / 20],
    ])
  })
  test('is no part of anybody’s where the account is off, first come, without windows, or nobody weighs anything', () => {
    expect(splitOf({ ...shared, enabled: false }, PLANS)).toBe(null)
    expect(splitOf({ ...shared, sharing: 'first_come' }, PLANS)).toBe(null)
    expect(splitOf({ ...shared, windows: [] }, PLANS)).toBe(null)
    expect(splitOf(shared, PLANS.slice(0, 1))).toBe(null)
  })
  test('has an owner’s part in whole asks, in money to the unit, and none without an owner', () => {
    const odd = { ...shared, windows: [asks(601, { kind: 'month' })] }
    expect(splitOf(odd, PLANS)?.reserve).toBe(73)
    expect(splitOf({ ...odd, owner_id: null }, PLANS)?.reserve).toBe(0)
    const money: AccountWindow = { ...A_WEEK, unit: 'money', amount: 20 }
    expect(splitOf({ ...shared, windows: [money] }, PLANS)?.reserve).toBe(2.4)
  })
})
