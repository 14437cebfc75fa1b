import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type Allowance, readAllowance } from '#contract/allowance.ts'
import { call } from '#web/foundation/call.ts'
import { useSession } from '#web/foundation/session.ts'
import { isWaitedFor } from './verdicts.ts'

/** Milliseconds between refetches while a refusal lasts whose end cannot be foreseen. */
const LOOK_EVERY_MS = 5000

/** The allowance, and how far the server's clock is ahead of this device's, in milliseconds. */
export type Told = { allowance: Allowance; ahead_ms: number }

export const allowanceQuery = queryOptions({
  queryKey: ['allowance'],
  queryFn: async ({ signal }): Promise<Told> => {
    const allowance = await call(readAllowance, {}, { signal })
    return { allowance, ahead_ms: Date.parse(allowance.now) - Date.now() }
  },
  refetchInterval: ({ state }) =>
    state.data !== undefined && isWaitedFor(state.data.allowance) ? LOOK_EVERY_MS : false,
  meta: { quiet: true },
})

/** What the user may ask now, what remains and when it opens; undefined until it is loaded. `told_at` is by this device's clock. */
export function useAllowance(): (Told & { told_at: number; refresh(): void }) | undefined {
  const signedIn = useSession(({ user }) => user !== null)
  const { data, dataUpdatedAt, refetch } = useQuery({ ...allowanceQuery, enabled: signedIn })
  return data === undefined ? undefined : { ...data, told_at: dataUpdatedAt, refresh: () => void refetch() }
}

/** Refetches it after something that may have changed it: an ask, a deleted conversation. */
export function refreshAllowance(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: allowanceQuery.queryKey })
}

/** A refusal says the same as the allowance, and sooner. */
export function takeAllowance(client: QueryClient, change: (allowance: Allowance) => Allowance): void {
  client.setQueryData(allowanceQuery.queryKey, told => told && { ...told, allowance: change(told.allowance) })
}
