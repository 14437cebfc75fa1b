import { MAX_PLUGINS_ON_PAGE, type Plugin, type PluginList } from '#contract/plugins.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import { boundedPlugin } from './boundedPlugin.ts'
import { type PluginAccounts, timeOf, withState } from './pluginAccounts.ts'
import { CHANGED, type PluginDependencies, type PluginLists } from './pluginLists.ts'
import { disabledPluginStore } from './store.ts'

/** The account whose list is read, and whether the kept list is good enough. */
type OfAccount = { upstream_id: number | null; fresh: boolean }
type StoreQuery = OfAccount & { offset: number; limit: number | null; category: string; search: string }
type Where = { upstream_id: number | null; use_team: boolean }
type Installation = { is_installed: boolean; use_team: boolean }
type Changes = { is_installed?: boolean; is_enabled?: boolean; is_authenticated?: boolean }

type Dependencies = PluginDependencies & { accounts: PluginAccounts; lists: PluginLists }

/** The store, as administrators look after it. Plugins are installed at an account, and enabled here. */
export function pluginStore({ open, bus, providers, accounts, lists }: Dependencies) {
  const disabled = disabledPluginStore(open.database)

  /** Whether each is installed at the account now and enabled, whatever the store's older list says. */
  async function withStates(account: Upstream, items: readonly Plugin[], isInstalled: (plugin: Plugin) => boolean) {
    const off = new Set((await disabled.of([account.id])).map(({ plugin_id }) => plugin_id))
    return items.map(plugin => withState(plugin, isInstalled(plugin), isInstalled(plugin) && !off.has(plugin.id)))
  }

  /** Null where the account does not say: then the store's own list does. */
  async function installedIds(account: Upstream): Promise<ReadonlySet<string> | null> {
    try {
      const { items } = await lists.installedOrLast(account)
      return new Set(items.map(({ id }) => id))
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

  async function requireInstalled(account: Upstream, id: string): Promise<Plugin> {
    const plugin = (await lists.installed(account)).items.find(each => each.id === id)
    if (plugin === undefined) throw new Refusal('pluginNotFound')
    return plugin
  }

  async function setInstalled(account: Upstream, id: string, { is_installed, use_team }: Installation) {
    const set = requirePort(providers.openai_web, 'setPluginInstalled')
    try {
      return boundedPlugin(await set(accounts.endpointOf(account, use_team), id, is_installed, lists.signal))
    } finally {
      // Even after a failure the kept lists may be wrong now, in every process.
      bus.publish(CHANGED, String(account.id))
    }
  }

  return {
    /** All that can be installed. */
    async list({ upstream_id, fresh, offset, limit, category, search }: StoreQuery): Promise<PluginList> {
      const account = accounts.require(upstream_id)
      const most = Math.min(limit ?? MAX_PLUGINS_ON_PAGE, MAX_PLUGINS_ON_PAGE)
      // How many there are is said all the same where none are asked for.
      const query = { offset, limit: most || MAX_PLUGINS_ON_PAGE, category, search }
      const [{ items, count, read_time }, installed] = await Promise.all([
        lists.approved(account, query, fresh),
        installedIds(account),
      ])
      const isInstalled = (plugin: Plugin): boolean =>
        installed?.has(plugin.id) ?? plugin.user_settings?.is_installed === true
      const shown = await withStates(account, most === 0 ? [] : items, isInstalled)
      return { items: shown, count, upstream_id: account.id, read_time: timeOf(read_time) }
    },

    /** Those that an account has, enabled or not. */
    async listInstalledAt({ upstream_id, fresh }: OfAccount): Promise<PluginList> {
      const account = accounts.require(upstream_id)
      const { items, read_time } = await lists.installed(account, fresh)
      const shown = await withStates(account, items, () => true)
      return { items: shown, count: shown.length, upstream_id: account.id, read_time: timeOf(read_time) }
    },

    async change(id: string, changes: Changes, { upstream_id, use_team }: Where): Promise<Plugin> {
      const { is_installed, is_enabled, is_authenticated } = changes
      if (is_authenticated !== undefined)
        throw invalid(['body', 'is_authenticated'], 'Signing in to a plugin is not passed on')
      if (is_installed === undefined && is_enabled === undefined) throw new Refusal('invalidRequest')
      const account = accounts.require(upstream_id)
      const plugin =
        is_installed === undefined
          ? await requireInstalled(account, id)
          : await setInstalled(account, id, { is_installed, use_team })
      if (is_enabled === false && is_installed !== false) await disabled.disable(account.id, id)
      else if (is_enabled === true || is_installed !== undefined) await disabled.enable(account.id, id)
      return withState(plugin, is_installed !== false, is_installed !== false && is_enabled !== false)
    },
  }
}
