import { describe, expect, test } from 'vitest'
import { aSimulator } from '../../client.testing.ts'
import { aWebClient } from '../client.testing.ts'

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
