import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { readUser, type UserReadAdmin } from '#contract/users.ts'
import { previewRemoval, readUserAllowance, readUserRow, type UserRow } from '#contract/userAdministration.ts'
import { call } from '#web/foundation/call.ts'

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
