import { describe, expect, test } from 'vitest'
import { aSimulator } from '../client.testing.ts'
import { teamIdOf } from './accounts.ts'
import { aWebClient } from './client.testing.ts'
import { WEB_TOKEN } from './state/web.ts'

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

describe('the plugin store of the web protocol', () => {
  test('is listed by category and words, in pages, and plugins are installed', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const items = async (query: string) => {
      const { body } = await client.read('GET', `aip/p${query}`)
      return [body.count, body.items.map((plugin: { namespace: string }) => plugin.namespace)]
    }
    expect((await items('/approved?offset=40&limit=9&category=&search='))[0]).toBe(42)
    expect(await items('/approved?offset=1&limit=2&category=newly_added')).toEqual([11, ['nightsky', 'tidetable']])
    expect(await items('/approved?search=SQL')).toEqual([1, ['querypad']])
    const { body } = await client.read('GET', 'aip/p/approved?search=SQL')
    const id = body.items[0].id
    expect((await client.read('PATCH', `aip/p/${id}/user-settings`, { is_installed: true })).body).toMatchObject({
      id,
      status: 'approved',
      user_settings: { is_installed: true, is_authenticated: true },
    })
    expect(await items('?offset=0&limit=250&is_installed=true')).toEqual([9, expect.arrayContaining(['querypad'])])
    expect((await client.send('PATCH', 'aip/p/plugin-x/user-settings', { is_installed: true })).status).toBe(404)
  })
})
