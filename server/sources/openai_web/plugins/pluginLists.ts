import { createHash } from 'node:crypto'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Plugin } from '#contract/plugins.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { PluginQuery } from '#server/providers/ports.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { boundedPlugin } from './boundedPlugin.ts'

/** A list, and when it was read. Epoch milliseconds. */
type CachedList<T> = { list: T; read_time: number }

type Entry<T> = {
  kept: CachedList<T> | null
  /** Something has changed since: it is only shown where it cannot be read again. */
  outdated: boolean
  reading: Promise<CachedList<T>> | null
}

type Options = {
  clock: Clock
  /** Milliseconds for which a list is not read again. */
  for_ms: number
  /** So many lists; those that were asked for longest ago go first. */
  most: number
}

/** Lists of upstreams in memory, for a short time. Two people who ask at the same moment share one request. */
export function openKeptLists<T>({ clock, for_ms, most }: Options) {
  const entries = new Map<string, Entry<T>>()

  /** Moves the entry to the end, so that the first one is the one not used for longest. */
  function entryOf(key: string): Entry<T> {
    const entry = entries.get(key) ?? { kept: null, outdated: false, reading: null }
    entries.delete(key)
    entries.set(key, entry)
    for (const [oldest] of entries) {
      if (entries.size <= most) break
      entries.delete(oldest)
    }
    return entry
  }

  async function readInto(entry: Entry<T>, read: () => Promise<T>): Promise<CachedList<T>> {
    const read_time = clock.now()
    const reading = read().then(list => ({ list, read_time }))
    entry.reading = reading
    entry.outdated = false
    try {
      const kept = await reading
      // What was forgotten meanwhile was read before the change.
      if (entry.reading === reading) entry.kept = kept
      return kept
    } finally {
      if (entry.reading === reading) entry.reading = null
    }
  }

  return {
    /** The kept one while it is new enough. `fresh`: as it is now. */
    async get(key: string, read: () => Promise<T>, { fresh = false } = {}): Promise<CachedList<T>> {
      const entry = entryOf(key)
      if (entry.reading !== null) return entry.reading
      const { kept, outdated } = entry
      if (kept !== null && !outdated && !fresh && clock.now() - kept.read_time < for_ms) return kept
      return readInto(entry, read)
    },

    /** Whatever was read last, however long ago. */
    lastOf: (key: string): CachedList<T> | null => entries.get(key)?.kept ?? null,

    /** Marks lists whose key begins so as outdated: they are read again when somebody asks for them. */
    forget(beginning: string): void {
      for (const [key, entry] of entries)
        if (key.startsWith(beginning)) {
          entry.outdated = true
          entry.reading = null
        }
    },
  }
}

/** The bus tells every process of which account something was changed. */
export const CHANGED = 'plugins'

const MINUTE = 60_000
/** The store changes seldom, and is what many pages of it are read from. */
const APPROVED_KEPT = { for_ms: 10 * MINUTE, most: 40 }
/** What is installed is read again at once after a change that is made here; the account may also be used elsewhere. */
const INSTALLED_KEPT = { for_ms: 2 * MINUTE, most: 200 }
/** Upstreams install no more. */
const MAX_INSTALLED = 250

export type PluginDependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  configuration(): Configuration
  upstreams: Pick<Upstreams, 'serving' | 'find' | 'reach' | 'requireShared'>
  providers: Pick<Providers, 'openai_web'>
}

type Page = { items: Plugin[]; count: number }

export type PluginLists = ReturnType<typeof openPluginLists>

/** The lists of each account as they were read last: the store's, and what is installed. */
export function openPluginLists({ bus, clock, upstreams, providers }: PluginDependencies) {
  const closing = new AbortController()
  const { signal } = closing
  const approved = openKeptLists<Page>({ clock, ...APPROVED_KEPT })
  const installed = openKeptLists<Plugin[]>({ clock, ...INSTALLED_KEPT })
  const unsubscribe = bus.subscribe(CHANGED, id => installed.forget(`${id} `))

  /** The key includes address and token: with others it is another account. */
  function keyOf(account: Upstream): string {
    const reached = JSON.stringify(upstreams.reach(account))
    return `${account.id} ${createHash('sha256').update(reached).digest('base64')}`
  }

  async function readInstalled(account: Upstream, fresh: boolean): Promise<CachedList<Plugin[]>> {
    const read = async () => {
      const list = requirePort(providers.openai_web, 'listInstalledPlugins')
      return (await list(upstreams.reach(account), signal)).slice(0, MAX_INSTALLED).map(boundedPlugin)
    }
    return installed.get(keyOf(account), read, { fresh })
  }

  const installedView = ({ list: items, read_time }: CachedList<Plugin[]>) => ({ items, read_time })

  return {
    /** Aborted when the portal stops. */
    signal,

    async approved(account: Upstream, query: PluginQuery, fresh: boolean) {
      const read = async () => {
        const list = requirePort(providers.openai_web, 'listPlugins')
        const { items, count } = await list(upstreams.reach(account), query, signal)
        return { items: items.slice(0, query.limit).map(boundedPlugin), count }
      }
      const { list, read_time } = await approved.get(`${keyOf(account)} ${JSON.stringify(query)}`, read, { fresh })
      return { ...list, read_time }
    },

    installed: async (account: Upstream, fresh = false) => installedView(await readInstalled(account, fresh)),

    /** Where the account does not answer: what it had when it was read last. */
    async installedOrLast(account: Upstream) {
      try {
        return installedView(await readInstalled(account, false))
      } catch (error) {
        const last = installed.lastOf(keyOf(account))
        if (last === null || !(error instanceof Refusal)) throw error
        return installedView(last)
      }
    },

    close(): void {
      unsubscribe()
      closing.abort()
    },
  }
}
