import { describe, expect, test } from 'vitest'
import type { Plugin, PluginList } from '#contract/plugins.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { Provider } from '#server/providers/provider.ts'
import { aRequestedAsk } from '#testing/asks.ts'
import { aSimulator } from '#testing/dataFolder.ts'
import { aPostgresqlAddress, eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'
import { storedUpstream } from '#testing/upstreams.ts'

const ENVIRONMENT = {
  COMMONS_OPENAI_WEB_ENABLED: 'true',
  COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: 'http://first.example.org/',
  COMMONS_OPENAI_WEB_ENABLE_TEAM_SUBSCRIPTION: 'true',
  COMMONS_OPENAI_WEB_TEAM_ACCOUNT_ID: 'team-1',
}
const SECOND = 'http://second.example.org/'

const aPlugin = (id: string): Plugin => ({
  id,
  namespace: id,
  manifest: { name_for_human: `The ${id}`, description_for_human: 'Helps.' },
  domain: `${id}.example.org`,
  status: 'approved',
  user_settings: { is_installed: false },
})

/** The accounts that an ask with these plugins may go to. */
const pluginAsks =
  ({ services }: Awaited<ReturnType<typeof startPortal>>['app']) =>
  async (plugin_ids: string[]) =>
    services.sources.of('openai_web').asks?.upstreamsFor?.(aRequestedAsk({ extras: { plugin_ids } }))

/**
 * A web service with a store of plugins and any number of accounts, told apart by their address. It counts what it is
 * asked.
 */
function webService(installed: Record<string, string[]>) {
  const requests: string[] = []
  const failing = new Set<string>()
  const teams: (string | null)[] = []
  const of = ({ base_url, web }: ProviderEndpoint, what: string): string[] => {
    const host = new URL(base_url).hostname.split('.')[0] ?? ''
    requests.push(`${host} ${what}`)
    teams.push(web?.team_account_id ?? null)
    if (failing.has(host)) throw new Refusal('upstreamTimeout')
    return (installed[host] ??= [])
  }
  const provider: Provider = {
    reply: () => Promise.reject(new Error('nobody asks')),
    async listPlugins(endpoint, { offset, limit, category, search }) {
      of(endpoint, `store ${offset} ${limit} ${category} ${search}`)
      return { items: ['maps', 'wiki', 'mail'].map(aPlugin), count: 3 }
    },
    listInstalledPlugins: async endpoint => of(endpoint, 'installed').map(aPlugin),
    async setPluginInstalled(endpoint, id, is_installed) {
      const list = of(endpoint, `${is_installed ? 'install' : 'uninstall'} ${id}`)
      if (is_installed) list.push(id)
      else list.splice(list.indexOf(id), 1)
      return aPlugin(id)
    },
  }
  return { provider, requests, failing, teams }
}

const idsOf = (list: PluginList): string[] => list.items.map(({ id }) => id)
const installedFor = (who: Person, query = '') =>
  who.result<PluginList>('GET', `/chat/openai-plugins/installed${query}`)
const setPlugin = (who: Person, id: string, body: object, query = '') =>
  who.call('PATCH', `/chat/openai-plugins/${id}/user-settings${query}`, body)

eachStorage((_name, storage) => {
  async function twoAccounts(installed: Record<string, string[]>) {
    const web = webService(installed)
    const portal = await startPortal({
      storage: await storage(),
      environment: ENVIRONMENT,
      providers: { openai_web: web.provider },
    })
    const { app } = portal
    const second = await storedUpstream(app, { source: 'openai_web', label: 'Second', base_url: SECOND })
    const first = app.services.upstreams.ofSettings('openai_web').id
    return { ...portal, web, first, second, lin: await portal.person() }
  }

  describe('the plugins that people may choose', () => {
    test('are those of all accounts, each with the accounts that have it, and are asked for once by two people at once', async () => {
      const { admin, lin, web, first, second, app } = await twoAccounts({
        first: ['maps', 'wiki'],
        second: ['wiki', 'mail'],
      })
      const [list] = await Promise.all([installedFor(lin), installedFor(admin)])
      expect(list.items.map(({ id, upstream_ids }) => [id, upstream_ids])).toEqual([
        ['maps', [first]],
        ['wiki', [first, second]],
        ['mail', [second]],
      ])
      expect(list).toMatchObject({ count: 3, upstream_id: null })
      expect(web.requests.toSorted()).toEqual(['first installed', 'second installed'])
      const accountsWith = pluginAsks(app)
      expect(await accountsWith(['wiki', 'mail'])).toEqual(new Set([second]))
      await expect(accountsWith(['maps', 'mail'])).rejects.toMatchObject({ key: 'pluginsOfDifferentAccounts' })
      await expect(accountsWith(['maps', 'other'])).rejects.toMatchObject({ key: 'pluginNotFound' })
    })

    test('are as an administrator leaves them, at once; a disabled one can still be read', async () => {
      const { admin, lin, web, first, app } = await twoAccounts({ first: ['maps'], second: [] })
      expect(idsOf(await installedFor(lin))).toEqual(['maps'])
      const installed = await setPlugin(admin, 'wiki', { is_installed: true }, '?plugin_id=wiki')
      expect(installed.result).toMatchObject({ id: 'wiki', user_settings: { is_installed: true, is_enabled: true } })
      expect(idsOf(await installedFor(lin))).toEqual(['maps', 'wiki'])
      await setPlugin(admin, 'maps', { is_enabled: false }, `?upstream_id=${first}`)
      expect(idsOf(await installedFor(lin))).toEqual(['wiki'])
      await expect(pluginAsks(app)(['maps'])).rejects.toMatchObject({ key: 'pluginNotFound' })
      expect((await lin.result<Plugin>('GET', '/chat/openai-plugins/installed/maps')).id).toBe('maps')
      const stored = await installedFor(admin, `?upstream_id=${first}`)
      expect(stored.items.map(({ id, user_settings }) => [id, user_settings?.is_enabled])).toEqual([
        ['maps', false],
        ['wiki', true],
      ])
      const store = await admin.result<PluginList>(
        'GET',
        '/chat/openai-plugins?category=most_popular&search=%20a%20&limit=8',
      )
      expect(
        store.items.map(({ id, user_settings }) => [id, user_settings?.is_installed, user_settings?.is_enabled]),
      ).toEqual([
        ['maps', true, false],
        ['wiki', true, true],
        ['mail', false, false],
      ])
      expect(web.requests).toContain('first store 0 8 most_popular a')
      await setPlugin(admin, 'maps', { is_installed: false })
      await setPlugin(admin, 'maps', { is_installed: true })
      expect(idsOf(await installedFor(lin))).toEqual(['wiki', 'maps'])
      expect((await lin.call('GET', '/chat/openai-plugins/installed/mail')).message).toBe('errors.pluginNotFound')
    })

    test('are those read last of an account that does not answer; without any the reason is told', async () => {
      const { admin, lin, web, first } = await twoAccounts({ first: ['maps'], second: ['mail'] })
      web.failing.add('first')
      expect(idsOf(await installedFor(lin))).toEqual(['mail'])
      web.failing.add('second')
      expect((await setPlugin(admin, 'wiki', { is_installed: true })).message).toBe('errors.upstreamTimeout')
      expect(idsOf(await installedFor(lin))).toEqual(['mail'])
      expect((await admin.call('GET', `/chat/openai-plugins/installed?upstream_id=${first}`)).message).toBe(
        'errors.upstreamTimeout',
      )
    })
  })
})

describe('three processes on one database', () => {
  test('know at once what was installed or disabled in another one, whatever they have kept', async () => {
    const storage = { database_url: await aPostgresqlAddress() }
    const simulator = await aSimulator()
    const account = simulator.web.account('web-token')
    account.installed = new Set([...account.installed].slice(0, 1))
    const [kept = ''] = account.installed
    const [, added = ''] = simulator.web.account('another').installed
    const environment = {
      COMMONS_OPENAI_WEB_ENABLED: 'true',
      COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: simulator.webUrl,
      COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: 'web-token',
    }
    const start = () => startPortal({ storage, simulator, environment })
    const [one, two, three] = [await start(), await start(), await start()]
    const lin = await one.person()
    const everywhere = (ids: string[]) =>
      Promise.all(
        [one, two, three].map(({ url }) =>
          until(async () => expect(idsOf(await installedFor(lin.at(url)))).toEqual(ids)),
        ),
      )
    const reads = () => simulator.journal.filter(({ path }) => path === '/web/aip/p').length
    await everywhere([kept])
    await everywhere([kept])
    expect(reads()).toBe(3)
    const at = ({ url }: { url: string }) => one.admin.at(url)
    for (const [where, id, body, left] of [
      [two, added, { is_installed: true }, [kept, added]],
      [three, kept, { is_installed: false }, [added]],
      [one, added, { is_enabled: false }, []],
      [two, added, { is_enabled: true }, [added]],
    ] as const) {
      await setPlugin(at(where), id, body)
      await everywhere([...left])
      const accountsWith = pluginAsks(three.app)
      if (left.length === 0) await expect(accountsWith([id])).rejects.toMatchObject({ key: 'pluginNotFound' })
      else expect((await accountsWith([...left]))?.size).toBe(1)
    }
  })
})

describe('the store of plugins', () => {
  async function oneAccount(more: Record<string, string> = {}) {
    const web = webService({ first: ['maps'] })
    const environment = { ...ENVIRONMENT, ...more }
    const portal = await startPortal({ environment, providers: { openai_web: web.provider } })
    return { ...portal, web, lin: await portal.person() }
  }

  test('is changed by superusers alone, in the name of the team if they say so, and signs nobody in', async () => {
    const { admin, lin, web } = await oneAccount()
    expect((await setPlugin(lin, 'wiki', { is_installed: true })).message).toBe('errors.authorityDeny')
    expect((await lin.call('GET', '/chat/openai-plugins?upstream_id=1')).message).toBe('errors.authorityDeny')
    expect((await lin.call('GET', '/chat/openai-plugins/installed?fresh=true')).message).toBe('errors.authorityDeny')
    for (const [body, message] of [
      [{ is_authenticated: true }, 'errors.requestValidationError'],
      [{}, 'errors.invalidRequest'],
      [{ is_installed: 'yes' }, 'errors.requestValidationError'],
    ] as const)
      expect((await setPlugin(admin, 'wiki', body)).message).toBe(message)
    expect((await setPlugin(admin, 'nowhere', { is_enabled: true })).message).toBe('errors.pluginNotFound')
    expect((await setPlugin(admin, 'wiki', { is_installed: true }, '?upstream_id=999')).message).toBe(
      'errors.upstreamNotFound',
    )
    web.teams.length = 0
    await admin.call('PATCH', '/chat/openai-plugin/wiki/user-settings?use_team=true', { is_installed: true })
    expect(web.teams).toEqual(['team-1'])
  })

  test('is read again when a superuser says so, and else kept for each question', async () => {
    const { admin, lin, web } = await oneAccount()
    for (const query of ['', '', '?limit=0', '?limit=999999', '?search=x', '?search=x'])
      await lin.call('GET', `/chat/openai-plugins${query}`)
    await admin.call('GET', '/chat/openai-plugins?fresh=true')
    expect(web.requests.filter(request => request.includes('store'))).toEqual([
      'first store 0 100  ',
      'first store 0 100  x',
      'first store 0 100  ',
    ])
  })

  test('takes what is within its bounds', async () => {
    const { lin } = await oneAccount()
    const codeOf = async (query: string) => (await lin.call('GET', `/chat/openai-plugins?${query}`)).code
    const over = ['limit=1000000', 'offset=-1', `category=${'c'.repeat(101)}`, `search=${'s'.repeat(201)}`]
    expect(await Promise.all(over.map(codeOf))).toEqual([422, 422, 422, 422])
    const within = [`search=${'s'.repeat(200)}`, `category=${'c'.repeat(100)}&offset=999999&limit=999999`]
    expect(await Promise.all(within.map(codeOf))).toEqual([200, 200])
  })

  test.each([
    [{ COMMONS_OPENAI_WEB_ENABLED: 'false' }, 'errors.chatTypeNotEnabled'],
    [{ COMMONS_OPENAI_WEB_IS_PLUS_ACCOUNT: 'false' }, 'errors.notPlusChatgptAccount'],
    [{ COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: '' }, 'errors.upstreamNotAvailable'],
  ])('refuses in words where there are none: %o', async (environment, message) => {
    const { admin } = await oneAccount(environment)
    for (const path of ['', '/installed', '/installed/maps'])
      expect((await admin.call('GET', `/chat/openai-plugins${path}`)).message).toBe(message)
    expect((await setPlugin(admin, 'maps', { is_installed: false })).message).toBe(message)
  })
})
