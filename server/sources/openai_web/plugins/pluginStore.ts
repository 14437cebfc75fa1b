import { PLUGIN_MODEL } from '#contract/models.ts'
import { MAX_PLUGINS_ON_PAGE, type Plugin, type PluginList } from '#contract/plugins.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { requirePort } from '#server/providers/provider.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import { isHealthy } from '#server/upstreams/health.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import { boundedPlugin } from './boundedPlugin.ts'
import { CHANGED, type PluginDependencies, type PluginLists } from './pluginLists.ts'

type PluginAccounts = ReturnType<typeof pluginAccounts>

/**
 * The accounts that have plugins. Every call is refused while the web source is off, or its account has no paid plan.
 */
export function pluginAccounts({ clock, configuration, upstreams }: PluginDependencies) {
  function requireOffered(): void {
    const { enabled, is_plus_account } = configuration().openai_web
    if (!enabled) throw new Refusal('chatTypeNotEnabled')
    if (!is_plus_account) throw new Refusal('notPlusChatgptAccount')
  }

  const isReachable = (upstream: Upstream): boolean => upstreams.reach(upstream).base_url !== ''

  /** Those whose plugins people may use: the healthy ones; where none is healthy, all. */
  function inUse(): Upstream[] {
    requireOffered()
    const serving = upstreams.serving('openai_web', PLUGIN_MODEL).filter(isReachable)
    const healthy = serving.filter(({ health }) => isHealthy(health, clock.now()))
    return healthy.length > 0 ? healthy : serving
  }

  return {
    inUse,

    /** The one that is asked for, whatever its state; else the first of those in use. */
    require(id: number | null): Upstream {
      requireOffered()
      const account = id === null ? inUse()[0] : upstreams.find(id)
      if (id === null && account === undefined) throw new Refusal('upstreamNotAvailable')
      if (account?.source !== 'openai_web' || !isReachable(account)) throw new Refusal('upstreamNotFound')
      return account
    },

    /** In whose name an account is changed. */
    endpointOf(account: Upstream, use_team: boolean) {
      const endpoint = upstreams.reach(account)
      if (!use_team) return endpoint
      const { team_account_id } = account
      if (!configuration().openai_web.enable_team_subscription || team_account_id === null)
        throw invalid(['query', 'use_team'], 'There is no team account')
      return inTeam(endpoint, team_account_id)
    },
  }
}

/** A plugin with what is known here of its state. */
export function withState(plugin: Plugin, is_installed: boolean, is_enabled?: boolean): Plugin {
  const user_settings = { ...plugin.user_settings, is_installed, ...(is_enabled !== undefined && { is_enabled }) }
  return { ...plugin, user_settings }
}

export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

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
      const isOff = is_enabled === false && is_installed !== false
      await open.transaction(async trx => {
        const store = disabledPluginStore(trx)
        if (isOff) await store.disable(account.id, id)
        else if (is_enabled === true || is_installed !== undefined) await store.enable(account.id, id)
        await recordAudit(trx, {
          action: 'plugin.changed',
          subject: { kind: 'plugin', id, name: plugin.manifest?.name_for_human ?? null },
          after: {
            upstream: account.id,
            is_installed: is_installed !== false,
            is_enabled: !isOff && is_installed !== false,
          },
        })
      })
      return withState(plugin, is_installed !== false, is_installed !== false && is_enabled !== false)
    },
  }
}

/** The plugins that are installed at an account and that people may not choose. Queries and nothing else. */
export function disabledPluginStore(database: Database) {
  return {
    async of(upstream_ids: readonly number[]): Promise<{ upstream_id: number; plugin_id: string }[]> {
      if (upstream_ids.length === 0) return []
      return database
        .selectFrom('disabled_plugins')
        .select(['upstream_id', 'plugin_id'])
        .where('upstream_id', 'in', [...upstream_ids])
        .execute()
    },

    async disable(upstream_id: number, plugin_id: string): Promise<void> {
      await database
        .insertInto('disabled_plugins')
        .values({ upstream_id, plugin_id })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    },

    async enable(upstream_id: number, plugin_id: string): Promise<void> {
      await database
        .deleteFrom('disabled_plugins')
        .where('upstream_id', '=', upstream_id)
        .where('plugin_id', '=', plugin_id)
        .execute()
    },
  }
}
