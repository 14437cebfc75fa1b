import { queryOptions, useQuery } from '@tanstack/react-query'
import type { LimitUnit, LimitWindow, Plan, PlanLimit } from '#contract/plans.ts'
import { listPlans } from '#contract/plans.ts'
import type { Source } from '#contract/models.ts'
import { call } from '#web/foundation/call.ts'

export const plansQuery = queryOptions({
  queryKey: ['admin', 'plans'],
  queryFn: ({ signal }) => call(listPlans, {}, { signal }),
  meta: { quiet: 'whileEmpty' },
})

/** The plans, each below the one it inherits from. */
export function usePlans(): { plans: readonly PlanAt[] | undefined; error: Error | null; reload(): Promise<unknown> } {
  const { data, error, refetch } = useQuery(plansQuery)
  return { plans: data === undefined ? undefined : inTree(data), error, reload: refetch }
}

/** A plan with how far below the default one it stands. */
export type PlanAt = { plan: Plan; depth: number }

export function inTree(plans: readonly Plan[]): PlanAt[] {
  const below = (parent_id: number | null, depth: number): PlanAt[] =>
    plans.filter(plan => plan.parent_id === parent_id).flatMap(plan => [{ plan, depth }, ...below(plan.id, depth + 1)])
  return below(null, 0)
}

/** Everybody in a plan and in those below it. */
export function peopleBelow(plans: readonly Plan[], id: number): number {
  return plans
    .filter(({ parent_id }) => parent_id === id)
    .reduce((sum, plan) => sum + plan.people + peopleBelow(plans, plan.id), 0)
}

/** What makes a limit the one it is. */
export type LimitIdentity = { source: Source; unit: LimitUnit; window: LimitWindow; models: string[] | null }

const LIMIT = 'limit:'

/** The name of a limit as a field of a form: two limits that are the same have one name. */
export function limitField({ source, unit, window, models }: LimitIdentity): string {
  const seconds = 'seconds' in window ? window.seconds : null
  return `${LIMIT}${JSON.stringify([source, unit, window.kind, seconds, models === null ? null : models.toSorted()])}`
}

export const isLimitField = (name: string): boolean => name.startsWith(LIMIT)

export function identityOf(name: string): LimitIdentity {
  // only limitField makes such names
  const [source, unit, kind, seconds, models] = JSON.parse(name.slice(LIMIT.length)) as [
    Source,
    LimitUnit,
    LimitWindow['kind'],
    number | null,
    string[] | null,
  ]
  const window: LimitWindow =
    kind === 'rolling' || kind === 'from_first' ? { kind, seconds: seconds ?? DEFAULT_SECONDS } : { kind }
  return { source, unit, window, models }
}

/** Of a window whose length is typed: the five hours that subscriptions have. */
export const DEFAULT_SECONDS = 18_000

/** A limit that is not stored yet. */
export const aLimit = (source: Source, more: Partial<LimitIdentity> = {}): PlanLimit => ({
  source,
  unit: 'asks',
  window: { kind: 'week' },
  models: null,
  ...more,
  amount: 100,
})
