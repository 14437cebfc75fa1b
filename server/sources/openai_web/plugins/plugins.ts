import type { Plugin, PluginList } from '#contract/plugins.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { openPluginLists, type PluginDependencies } from './pluginLists.ts'
import { pluginAccounts, timeOf, withState, pluginStore, disabledPluginStore } from './pluginStore.ts'

export type Plugins = ReturnType<typeof openPlugins>

/** The plugins of the shared web accounts: those that people may choose, and the store behind them. */
export function openPlugins(given: PluginDependencies) {
  const accounts = pluginAccounts(given)
  const lists = openPluginLists(given)
  const disabled = disabledPluginStore(given.open.database)

  /** What each account has, enabled or not. An account that does not answer is left out, unless none does. */
  async function installedAtAll(): Promise<{ upstream_id: number; items: readonly Plugin[]; read_time: number }[]> {
    const results = await Promise.allSettled(
      accounts.inUse().map(async account => ({ upstream_id: account.id, ...(await lists.installedOrLast(account)) })),
    )
    const read = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    const failed = results.find(result => result.status === 'rejected')
    if (read.length > 0) return read
    throw failed?.reason ?? new Refusal('upstreamNotAvailable')
  }

  /** Each with the accounts that have it. */
  async function offered(): Promise<{ items: Plugin[]; read_time: number }> {
    const read = await installedAtAll()
    const off = new Set((await disabled.of(read.map(({ upstream_id }) => upstream_id))).map(keyOf))
    const found = new Map<string, Plugin & { upstream_ids: number[] }>()
    for (const { upstream_id, items } of read)
      for (const plugin of items) {
        if (off.has(keyOf({ upstream_id, plugin_id: plugin.id }))) continue
        const known = found.get(plugin.id)
        if (known === undefined) found.set(plugin.id, { ...withState(plugin, true, true), upstream_ids: [upstream_id] })
        else known.upstream_ids.push(upstream_id)
      }
    return { items: [...found.values()], read_time: Math.min(...read.map(({ read_time }) => read_time)) }
  }

  /** The accounts that have all of these, enabled. Refuses when one is nowhere, or no account has them all. */
  async function accountsWith(plugin_ids: readonly string[]): Promise<ReadonlySet<number>> {
    const { items } = await offered()
    const having = plugin_ids.map(id => {
      const plugin = items.find(each => each.id === id)
      if (plugin === undefined) throw new Refusal('pluginNotFound')
      return new Set(plugin.upstream_ids)
    })
    const common = having.reduce((all, each) => all.intersection(each))
    if (common.size === 0) throw new Refusal('pluginsOfDifferentAccounts')
    return common
  }

  return {
    ...pluginStore({ ...given, accounts, lists }),

    /** Those that people may choose, of all accounts. */
    async listInstalled(): Promise<PluginList> {
      const { items, read_time } = await offered()
      return { items, count: items.length, upstream_id: null, read_time: timeOf(read_time) }
    },

    /** One that an account has, also after it was disabled: conversations go on that began with it. */
    async readInstalled(id: string): Promise<Plugin> {
      const plugin = (await installedAtAll()).flatMap(({ items }) => items).find(each => each.id === id)
      if (plugin === undefined) throw new Refusal('pluginNotFound')
      return withState(plugin, true)
    },

    accountsWith,

    close: lists.close,
  }
}

const keyOf = (row: { upstream_id: number; plugin_id: string }): string => `${row.upstream_id} ${row.plugin_id}`
