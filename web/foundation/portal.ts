import { queryOptions, useQuery } from '@tanstack/react-query'
import { readPortal } from '#contract/status.ts'
import type { Portal } from '#contract/status.ts'
import { call } from './call.ts'

/** Milliseconds. An administrator changes it rarely. */
const FRESH_MS = 60_000

export const portalQuery = queryOptions({
  queryKey: ['portal'],
  queryFn: ({ signal }) => call(readPortal, {}, { signal }),
  staleTime: FRESH_MS,
})

export function usePortal(): Portal | undefined {
  return useQuery(portalQuery).data
}
