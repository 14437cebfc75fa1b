import { PLUGIN_MODEL } from '#contract/models.ts'
import type { Plugin } from '#contract/plugins.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import { isHealthy } from '#server/upstreams/health.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { PluginDependencies } from './pluginLists.ts'

export type PluginAccounts = ReturnType<typeof pluginAccounts>

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
