import { describe, expect, test } from 'vitest'
import { aSimulator } from '../client.testing.ts'
import { teamIdOf } from './accounts.ts'
import { aWebClient } from './client.testing.ts'
import { WEB_TOKEN } from './web.ts'

describe('a token of the web protocol', () => {
  test('has a personal account and a team, whose plans can be changed', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const check = async () => (await client.read('GET', 'accounts/check/v4-2023-04-27')).body
    const { accounts, account_ordering } = await check()
    const team = teamIdOf(WEB_TOKEN)
    expect(account_ordering).toEqual([expect.not.stringMatching(team), team])
    expect(accounts[team]).toMatchObject({
      account: { structure: 'workspace', plan_type: 'team', account_user_role: 'account-owner' },
      entitlement: { has_active_subscription: true, subscription_plan: 'chatgptteamplan' },
    })
    simulator.web.account().plans = { personal: 'expired', team: 'none' }
    const after = await check()
    expect(after.account_ordering).toHaveLength(1)
    expect(after.accounts[after.account_ordering[0]].entitlement).toMatchObject({ has_active_subscription: false })
  })
})
