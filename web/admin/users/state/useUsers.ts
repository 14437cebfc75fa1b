import type { Counted } from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import {
  listUserPage,
  previewRemoval,
  readUserAllowance,
  readUserRow,
  type SourceSummary,
  UserFilter,
  type UserRow,
} from '#contract/userAdministration.ts'
import type { Portal } from '#contract/status.ts'
import { portalQuery, usePortal } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { askAhead, useList } from '#web/admin/table/useList.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { readUser, type UserReadAdmin } from '#contract/users.ts'
import { call } from '#web/foundation/call.ts'

/** Seconds between two fetches: running and waiting asks change all the time. */
const LIVE_EVERY = 10

const LAST_ACTIVE_FIRST = { sort: 'last_active_time', order: 'desc' } as const

/**
 * The count that the list shows: of all questions or of one model. Of several sources it is the one that a person has
 * used most.
 */
export type ShownCount = { sources: readonly Source[]; model: string | null }

/** The list of people that the address describes. */
export function useUsers() {
  const shown = shownCountOf(usePortal())
  const list = useList(listUserPage, { keyOf: row => String(row.id), every_seconds: LIVE_EVERY, ...askedFor(shown) })
  const chosen = list.address.query.source ?? list.address.query.allowed
  return { list, shown: { ...shown, sources: chosen === undefined ? shown.sources : [chosen] } }
}

export type UserList = ReturnType<typeof useUsers>['list']

const MODEL = 'gpt_4'

/** Prefetches the rows of an address. */
export function askForUsers(search: Readonly<Record<string, unknown>>): void {
  askAhead(listUserPage, askedFor(shownCountOf(queryClient.getQueryData(portalQuery.queryKey))), search)
}

function askedFor({ model }: ShownCount) {
  return { sorted: LAST_ACTIVE_FIRST, ...(model !== null && { given: { model } }) }
}

function shownCountOf(portal: Portal | undefined): ShownCount {
  const sources = SOURCES.filter(each => portal?.sources.some(one => one.source === each && one.enabled) ?? true)
  const offered = portal?.models.some(model => model.source === sources[0] && model.code === MODEL) ?? true
  return { sources, model: offered ? MODEL : null }
}

const UNCOUNTED: Counted = { used: 0, allowed: UNLIMITED, remaining: UNLIMITED }

/** The count by which the list is sorted. Null when the person may use none of the sources. */
export function countedOf(row: UserRow, { sources, model }: ShownCount): (Counted & { source: Source }) | null {
  const counts = sources
    .filter(source => row[source].allow_to_use)
    .map(source => ({ source, ...countIn(row[source], model) }))
  return counts.toSorted((one, other) => usedShare(other) - usedShare(one))[0] ?? null
}

const countIn = ({ total, models }: SourceSummary, model: string | null): Counted =>
  model === null ? total : (models.find(each => each.model === model)?.count ?? UNCOUNTED)

/** An unlimited count comes last, and none that is allowed counts as all. */
function usedShare({ used, allowed }: Counted): number {
  if (allowed === UNLIMITED) return -1
  return allowed === 0 ? 1 : used / allowed
}

/** The filter of the list, without page and order. */
export function filterOf(query: Readonly<Record<string, unknown>>): UserFilter {
  const names = Object.keys(UserFilter.shape)
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name))) as UserFilter // of the list's own query
}

/** The account with its settings, and its row of the list with what is used. */
export type LoadedUser = { user: UserReadAdmin; row: UserRow }

const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'user', id],
    queryFn: async ({ signal }): Promise<LoadedUser> => {
      const [user, row] = await Promise.all([
        call(readUser, { params: { id } }, { signal }),
        call(readUserRow, { params: { id } }, { signal }),
      ])
      return { user, row }
    },
    meta: { quiet: true },
  })

export function useUser(id: string) {
  return useQuery(userQuery(id))
}

/** Fetches the person from the server, not from the cache. */
export function fetchUser(client: QueryClient, id: string): Promise<LoadedUser> {
  return client.fetchQuery({ ...userQuery(id), staleTime: 0 })
}

/** Whether this is the only superuser. False while not known; the server checks it in any case. */
export function useIsLastSuperuser(id: number): boolean {
  const { data } = useQuery({
    queryKey: ['admin', 'user', String(id), 'removal'],
    queryFn: ({ signal }) => call(previewRemoval, { params: { id: String(id) } }, { signal }),
    meta: { quiet: true },
  })
  return data?.is_last_superuser ?? false
}

/** What the person may ask now, as the server evaluates it. */
export function useUserAllowance(id: number) {
  return useQuery({
    queryKey: ['admin', 'user', String(id), 'allowance'],
    queryFn: ({ signal }) => call(readUserAllowance, { params: { id: String(id) } }, { signal }),
    meta: { quiet: true },
  })
}
