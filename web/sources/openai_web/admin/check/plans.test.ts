import { describe, expect, test } from 'vitest'
import type { CheckedAccounts } from '#contract/upstreamAccounts.ts'
import { onlyTeam, plansOf } from './plans.ts'

type Account = CheckedAccounts['accounts'][string]

const NOW = new Date('2026-11-28T10:00:00.000Z')
const team: Account = {
  account: { account_id: 't-1', name: 'Lab', structure: 'workspace', account_user_role: 'account-owner' },
  entitlement: { has_active_subscription: true, expires_at: '2027-01-01T00:00:00+00:00' },
}
const plus: Account = {
  account: { structure: 'personal', plan_type: 'plus', account_user_role: 'boss' },
  entitlement: { has_active_subscription: true, subscription_plan: 'chatgptplusplan', expires_at: 'some day' },
}
const checked = (...accounts: Account[]): CheckedAccounts => ({
  accounts: Object.fromEntries(accounts.map((account, at) => [`a${at}`, account])),
  account_ordering: [...accounts.map((_, at) => `a${at}`), 'unheard of'],
})
const plans = (...accounts: Account[]) => plansOf(checked(...accounts), NOW)

describe('the accounts of a token', () => {
  test('are shown with plan, role and end, in their order', () => {
    expect(plans(team, plus)).toMatchObject([
      { id: 't-1', name: 'Lab', plan: 'team', role: 'account-owner', expires: '2027-01-01T00:00:00.000Z' },
      { id: 'a1', name: null, plan: 'plus', role: null, roleName: 'boss', expires: null, state: 'active' },
    ])
  })
  test('are over when their subscription is, or its end has passed; a free one is not', () => {
    const ended = { ...plus, entitlement: { has_active_subscription: false, subscription_plan: 'chatgptplusplan' } }
    const passed = { ...team, entitlement: { has_active_subscription: true, expires_at: '2026-11-28T10:00:00Z' } }
    const free = { account: { plan_type: 'free' }, entitlement: { has_active_subscription: false } }
    const off = { account: { ...team.account, is_deactivated: true } }
    expect(plans(ended, passed, free, off, { account: {} }).map(({ state }) => state)).toEqual([
      ...['over', 'over', 'active', 'deactivated', 'active'],
    ])
  })
  test('have one team that is meant, where only one can be used', () => {
    const off = { ...team, account: { ...team.account, is_deactivated: true } }
    expect(onlyTeam(plans(plus, off, team))?.id).toBe('t-1')
    expect([onlyTeam(plans(plus)), onlyTeam(plans(team, team))]).toEqual([null, null])
  })
})
