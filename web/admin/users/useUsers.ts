import type { Counted } from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import { listUserPage, UserFilter, type UserRow } from '#contract/users.ts'
import type { Portal } from '#contract/status.ts'
import { portalQuery, usePortal } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { askAhead, useList } from '../table/useList.ts'

/** Seconds between two fetches: running and waiting asks change all the time. */
const LIVE_EVERY = 10

const LAST_ACTIVE_FIRST = { sort: 'last_active_time', order: 'desc' } as const

/** The count that the list shows: of a source, or of one of its models. */
export type ShownCount = { source: Source; model: string | null }

/** The list of people that the address describes. */
export function useUsers() {
  const shown = shownCountOf(usePortal())
  const list = useList(listUserPage, { keyOf: row => String(row.id), every_seconds: LIVE_EVERY, ...askedFor(shown) })
  const { source, allowed } = list.address.query
  return { list, shown: { ...shown, source: source ?? allowed ?? shown.source } }
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
  const source = SOURCES.find(each => portal?.sources.some(one => one.source === each && one.enabled)) ?? 'openai_web'
  const offered = portal?.models.some(model => model.source === source && model.code === MODEL) ?? true
  return { source, model: offered ? MODEL : null }
}

const UNCOUNTED: Counted = { used: 0, allowed: UNLIMITED, remaining: UNLIMITED }

/** Null when the person may not use it. */
export function countedOf(row: UserRow, { source, model }: ShownCount): Counted | null {
  const summary = row[source]
  if (!summary.allow_to_use) return null
  if (model === null) return summary.total
  return summary.models.find(each => each.model === model)?.count ?? UNCOUNTED
}

/** The filter of the list, without page and order. */
export function filterOf(query: Readonly<Record<string, unknown>>): UserFilter {
  const names = Object.keys(UserFilter.shape)
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name))) as UserFilter // of the list's own query
}
