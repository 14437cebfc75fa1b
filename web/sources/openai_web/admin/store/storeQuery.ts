import { keepPreviousData, useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { listInstalledPlugins, listPlugins, type Plugin, type PluginList } from '#contract/plugins.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { nameOf } from '#web/sources/openai_web/plugins/plugin.ts'
import type { ListAddress, ListQuery } from '../../../../admin/table/useListAddress.ts'

export const SHELVES = ['installed', 'all', 'most_popular', 'newly_added'] as const
export type Shelf = (typeof SHELVES)[number]

/** The entries of the address for the store, besides words and page. */
export const StoreFilters = z.object({
  plugins: z.optional(z.enum(SHELVES)),
  account: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
  words: z.optional(z.string().check(z.maxLength(200))),
  page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/))),
})
export type StoreAddress = ListAddress<z.output<typeof StoreFilters> & ListQuery>

/** Cards on a page: whole rows of two, three and four. */
export const PAGE_SIZE = 12

export type StorePage = {
  phase: 'loading' | 'failed' | 'shown'
  error: Error | null
  plugins: readonly Plugin[]
  /** On all pages. */
  total: number
  page: { number: number; last: number }
  /** How many are installed; null when that was not asked for. */
  installed: number | null
  read_time: string | null
  /** The previous page is still shown, or the list is read again. */
  busy: boolean
  reload(): void
  /** Reads the list from the account again, not from the server's cache. */
  readAgain(): Promise<void>
}

const STORE = ['plugins', 'store'] as const

/** The plugins that the address asks for, of one account. */
export function useStorePage(upstream_id: number, address: StoreAddress): StorePage {
  const { plugins: shelf = 'installed', words = '', page = '1' } = address.query
  const isInstalled = shelf === 'installed'
  // All installed plugins come in one answer, which is searched here.
  const asked = isInstalled ? { shelf, upstream_id } : { shelf, upstream_id, words, page }
  const queryKey = [...STORE, asked]
  const read = (fresh: boolean, signal?: AbortSignal): Promise<PluginList> =>
    isInstalled
      ? readInstalled(upstream_id, fresh, signal)
      : readShelf({ upstream_id, shelf, words, page }, fresh, signal)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(false, signal),
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  })
  const found = isInstalled ? (data?.items ?? []).filter(plugin => hasWords(plugin, words)) : (data?.items ?? [])
  const total = isInstalled ? found.length : (data?.count ?? 0)
  const number = Number(page)
  return {
    phase: error !== null ? 'failed' : data === undefined ? 'loading' : 'shown',
    error,
    plugins: isInstalled ? found.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE) : found,
    total,
    page: { number, last: Math.max(1, Math.ceil(total / PAGE_SIZE)) },
    installed: isInstalled ? found.filter(({ user_settings }) => user_settings?.is_installed === true).length : null,
    read_time: data?.read_time ?? null,
    busy: isPlaceholderData || isFetching,
    reload: () => void refetch(),
    async readAgain() {
      await queryClient.fetchQuery({
        queryKey,
        queryFn: ({ signal }) => read(true, signal),
        staleTime: 0,
        retry: false,
      })
    },
  }
}

const readInstalled = (upstream_id: number, fresh: boolean, signal?: AbortSignal) =>
  call(
    listInstalledPlugins,
    { query: { upstream_id: String(upstream_id), ...freshly(fresh) } },
    { ...(signal && { signal }) },
  )

type ShelfPage = { upstream_id: number; shelf: Shelf; words: string; page: string }

function readShelf({ upstream_id, shelf, words, page }: ShelfPage, fresh: boolean, signal?: AbortSignal) {
  const query = {
    upstream_id: String(upstream_id),
    offset: String((Number(page) - 1) * PAGE_SIZE),
    limit: String(PAGE_SIZE),
    category: shelf === 'all' ? '' : shelf,
    search: words,
    ...freshly(fresh),
  }
  return call(listPlugins, { query }, { ...(signal && { signal }) })
}

const freshly = (fresh: boolean) => (fresh ? { fresh: 'true' as const } : {})

function hasWords(plugin: Plugin, words: string): boolean {
  const text = `${nameOf(plugin)} ${plugin.domain ?? ''} ${plugin.manifest?.description_for_human ?? ''}`
  return text.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())
}

export type PluginState = { is_installed: boolean; is_enabled: boolean }

export const stateOf = ({ user_settings }: Plugin): PluginState => ({
  is_installed: user_settings?.is_installed === true,
  is_enabled: user_settings?.is_enabled === true,
})

/** Updates the plugin on every cached page of the store. */
export function showState(upstream_id: number, id: string, state: PluginState): void {
  queryClient.setQueriesData<PluginList>(
    {
      queryKey: STORE,
      // as it is made above
      predicate: ({ queryKey }) => (queryKey[2] as { upstream_id: number }).upstream_id === upstream_id,
    },
    list =>
      list && {
        ...list,
        items: list.items.map(plugin =>
          plugin.id === id ? { ...plugin, user_settings: { ...plugin.user_settings, ...state } } : plugin,
        ),
      },
  )
}

/**
 * Marks the cached pages stale without refetching the one on the screen, so that the last change can be undone there.
 */
export function outdatePlugins(): void {
  void queryClient.invalidateQueries({ queryKey: ['plugins'], refetchType: 'none' })
}
