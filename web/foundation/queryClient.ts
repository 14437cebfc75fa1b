import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { TransportFailure } from './call.ts'
import { reportFailure } from './failures.ts'

const RETRIES = 2

const isQuiet = ({ meta, state }: Query<unknown, unknown>): boolean =>
  meta?.quiet === true || (meta?.quiet === 'whileEmpty' && state.data === undefined)

/**
 * Failures are shown here; a query or mutation that shows its own has `meta: { quiet: true }`, and a query that does as
 * long as there is nothing to show, `meta: { quiet: 'whileEmpty' }`.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => isQuiet(query) || reportFailure(error) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => mutation.meta?.quiet === true || reportFailure(error),
  }),
  defaultOptions: {
    // A refusal is not retried.
    queries: { retry: (count, error) => error instanceof TransportFailure && count < RETRIES, staleTime: 5000 },
  },
})
