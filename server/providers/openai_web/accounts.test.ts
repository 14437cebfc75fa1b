import { describe, expect, test } from 'vitest'
import { accountsIn } from './ports.ts'

const NOW = Date.UTC(2024, 0, 10)

const entry = (account: object, entitlement: object | null = null, account_id: string | null = null) => ({
  account: { account_id, structure: 'personal', plan_type: 'free', is_deactivated: false, ...account },
  entitlement,
})
const team = (expires_at: string | null, more: object = {}) =>
  entry({ structure: 'workspace', plan_type: 'team', ...more }, { has_active_subscription: true, expires_at })
const plus = (has_active_subscription: boolean) =>
  entry({ plan_type: 'plus' }, { has_active_subscription, subscription_plan: 'chatgptplusplan' })

const orderOf = (accounts: Record<string, unknown>, account_ordering: unknown = null) =>
  accountsIn({ accounts, account_ordering }, NOW)?.account_ordering

describe('the order of accounts', () => {
  test('begins with an active team; plus before free; what is over or deactivated last', () => {
    const accounts = {
      deactivated: team(null, { is_deactivated: true }),
      overTeam: team('2024-01-09T00:00:00'),
      overPlus: plus(false),
      free: entry({}),
      plus: plus(true),
      team: team('2024-01-11T00:00:00+00:00'),
    }
    expect(orderOf(accounts)).toEqual(['team', 'plus', 'free', 'overPlus', 'overTeam', 'deactivated'])
  })
  test('among equals is that of the upstream', () => {
    const accounts = { a: entry({}), b: entry({}), c: entry({}) }
    expect(orderOf(accounts, ['c', 'gone', 7, 'a'])).toEqual(['c', 'a', 'b'])
    expect(orderOf(accounts, 'a')).toEqual(['a', 'b', 'c'])
  })
  test('has the one that is also called `default` once', () => {
    expect(orderOf({ default: entry({}, null, 'a'), a: entry({}, null, 'a') })).toEqual(['a'])
    expect(orderOf({ default: entry({}, null, 'a') })).toEqual(['default'])
  })
})

describe('the accounts in an answer', () => {
  test('are without those that are none, and without the addresses of pictures', () => {
    const picture = entry({ profile_picture_url: 'https://track.example/a.png', name: '工作\u0000室' })
    const checked = accountsIn(
      { accounts: { a: picture, b: 7, c: {}, d: { account: { name: 5 } }, '../e': entry({}) } },
      NOW,
    )
    expect(Object.keys(checked?.accounts ?? {})).toEqual(['a'])
    expect(checked?.accounts['a']?.account).toMatchObject({ profile_picture_url: null, name: '工作\uFFFD室' })
  })
  test.each([[{}], [{ accounts: [] }], [{ accounts: null }], [{ accounts: {} }], [{ accounts: { a: 1 } }]])(
    'are not found in %j',
    answer => {
      expect(accountsIn(answer, NOW)).toBe(null)
    },
  )
  test('are no more than a hundred', () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, entry({})]))
    expect(accountsIn({ accounts: many }, NOW)?.account_ordering).toHaveLength(100)
  })
})
