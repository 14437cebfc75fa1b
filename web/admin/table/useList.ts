import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { DEFAULT_PAGE_SIZE } from '#contract/paging.ts'
import type { Call, CallArguments, QueryOf, ResultOf } from '#contract/call.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { type ListAddress, type ListQuery, useListAddress, validEntries } from './useListAddress.ts'

/** A call that answers a page of rows, `pageOf` of contract/paging.ts, by a query of `paging` and its own filters. */
type ListCall = Call & {
  params: null
  body: null
  query: z.ZodMiniObject
  result: z.ZodMiniType<{ rows: unknown[]; total: number }>
}
type RowOf<C extends ListCall> = ResultOf<C>['rows'][number]

type Sorted = { sort: string; order: 'asc' | 'desc' }

type ListOptions<C extends ListCall> = {
  /** A row's own key; the address has the one that is open. */
  keyOf(row: RowOf<C>): string
  /** The order as long as nobody chooses another. */
  sorted: Sorted
  /** Rows open no drawer: their first column is a link. */
  linked?: boolean
  /** By which tests find the rows. */
  test_id?: string
  /** The polling interval while the page is visible. */
  every_seconds?: number
  /** Defaults for entries that the address does not have. */
  given?: Partial<QueryOf<C>>
}

/** A page of rows, and its position in the list. */
export type List<Row, Query extends ListQuery = ListQuery> = {
  phase: 'loading' | 'failed' | 'shown'
  rows: readonly Row[]
  /** On all pages. */
  total: number
  /** Whether these are still the previous rows, until the answer is there. */
  outdated: boolean
  sorted: Sorted
  page: { number: number; size: number; last: number }
  address: ListAddress<Query>
  linked: boolean
  test_id?: string
  /** Why there are no rows. */
  error: Error | null
  keyOf(row: Row): string
  reload(): void
}

/** Fetches the list that the address describes. While the next page loads, the previous one stays. */
export function useList<C extends ListCall>(
  declaration: C,
  options: ListOptions<C>,
): List<RowOf<C>, z.output<C['query']> & ListQuery> & { result: ResultOf<C> | undefined } {
  const address = useListAddress<C['query']>(declaration.query)
  const { sort, order } = orderOf(address.query, options)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...listOptions(declaration, options, address.query),
    placeholderData: keepPreviousData,
    ...(options.every_seconds !== undefined && { refetchInterval: options.every_seconds * 1000 }),
  })
  const { page = '1', size = String(DEFAULT_PAGE_SIZE) } = address.query as ListQuery
  const total = data?.total ?? 0
  return {
    phase: data !== undefined ? 'shown' : error !== null ? 'failed' : 'loading',
    rows: data?.rows ?? [],
    total,
    outdated: isPlaceholderData,
    sorted: { sort, order },
    page: { number: Number(page), size: Number(size), last: Math.max(1, Math.ceil(total / Number(size))) },
    address,
    linked: options.linked === true,
    ...(options.test_id !== undefined && { test_id: options.test_id }),
    error,
    keyOf: options.keyOf,
    reload: () => void refetch(),
    result: data,
  }
}

type Entries = Readonly<Record<string, unknown>>
type Asked<C extends ListCall> = Pick<ListOptions<C>, 'sorted' | 'given'>

/** Prefetches the list of an address before its screen renders. A failure is left to the screen. */
export function askAhead<C extends ListCall>(declaration: C, options: Asked<C>, search: Entries): void {
  void queryClient.prefetchQuery(listOptions(declaration, options, validEntries(declaration.query, search)))
}

function orderOf({ sort, order }: ListQuery, { sorted }: Pick<Asked<ListCall>, 'sorted'>): Sorted {
  return { sort: sort ?? sorted.sort, order: order ?? sorted.order }
}

function listOptions<C extends ListCall>(declaration: C, options: Asked<C>, entries: Entries) {
  const query = { ...options.given, ...entries, ...orderOf(entries, options) }
  return queryOptions({
    queryKey: listKey(declaration, query),
    queryFn: ({ signal }) => call(declaration, { query } as CallArguments<C>, { signal }), // the query is of the call's own schema
    meta: { quiet: 'whileEmpty' },
  })
}

/**
 * The query key of a list; without a query, of all its pages: `invalidateQueries({ queryKey: listKey(listUsers) })`.
 */
export function listKey(declaration: Call, ...query: object[]): readonly unknown[] {
  return ['admin', declaration.path, ...query]
}
