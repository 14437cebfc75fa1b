import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import * as z from 'zod/mini'

/** The query entries that every list has, besides its own filters. */
export type ListQuery = {
  page?: string | undefined
  size?: string | undefined
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
  words?: string | undefined
}

/** The state of a list, kept in the address, so that reload and back restore it. */
export type ListAddress<Query extends ListQuery = ListQuery> = {
  /** The valid entries of the address. */
  query: Query
  /** The key of the row that is open in the drawer. */
  opened: string | null
  /** Changes entries; undefined removes one. The list begins with its first page again, unless `page` is among them. */
  change(changes: Readonly<Record<string, string | undefined>>): void
  open(row: string | null): void
}

/** Entries that are not filters. */
const NO_FILTERS = ['page', 'size', 'sort', 'order', 'open']

/** The entries of the address, whatever they are, and how to change them; undefined removes one. */
export function useAddress() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = useCallback(
    (changes: Readonly<Record<string, string | undefined>>, replace: boolean) => {
      void navigate({
        to: '.',
        // The router's type is that of each route; entries that a page does not know are ignored when they are read.
        search: ((previous: Record<string, unknown>) => withEntries(previous, changes)) as never,
        replace,
      })
    },
    [navigate],
  )
  return { search, go }
}

/** `schema` is the query of the list's call. */
export function useListAddress<Schema extends z.ZodMiniObject>(
  schema: Schema,
): ListAddress<z.output<Schema> & ListQuery> {
  const { search, go } = useAddress()
  // A stable function: another one would render long lists again.
  const change = useCallback<ListAddress['change']>(
    // Typing replaces the history entry, so that back does not go letter by letter.
    changes => go({ page: undefined, ...changes }, 'words' in changes),
    [go],
  )
  return useMemo(() => {
    const opened = typeof search.open === 'string' ? search.open : null
    return {
      // each is valid by itself, and all are optional
      query: validEntries(schema, search) as z.output<Schema> & ListQuery,
      opened,
      change,
      open: row => go({ open: row ?? undefined }, opened !== null),
    }
  }, [schema, search, go, change])
}

/** Whether a list shows less than there is, because of words or filters. */
export function isFiltered(query: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(query).some(([name, value]) => value !== undefined && !NO_FILTERS.includes(name))
}

/** Changes that remove words and filters. */
export function withoutFilters(query: Readonly<Record<string, unknown>>): Record<string, undefined> {
  return Object.fromEntries(
    Object.keys(query)
      .filter(name => !NO_FILTERS.includes(name))
      .map(name => [name, undefined]),
  )
}

/** The entries of an address that a schema of optional texts takes. */
export function validEntries(
  schema: z.ZodMiniObject,
  search: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const valid = Object.entries(schema.shape).flatMap(([name, type]) => {
    const parsed = z.safeParse(type, search[name])
    return parsed.success && parsed.data !== undefined && parsed.data !== '' ? [[name, parsed.data]] : []
  })
  return Object.fromEntries(valid)
}

function withEntries(previous: Readonly<Record<string, unknown>>, changes: Readonly<Record<string, unknown>>) {
  const entries = Object.entries({ ...previous, ...changes }).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(entries)
}
