import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { type CommonField, type CommonInForce, plansOf } from './planTree.ts'
import { policyValues } from './planStore.ts'

/**
 * What holds for people of values that are of no source: their own, else the nearest on the way up from their plan; of
 * null, who is nobody, the default plan's. `configuration`: with the plans.
 */
export async function commonValues(
  database: Database,
  configuration: Configuration,
  user_ids: readonly number[] | null,
): Promise<(user_id: number | null) => CommonInForce> {
  const everybody = policyValues(database).select(['user_id', 'plan_id', 'own_values'])
  const rows =
    user_ids === null
      ? await everybody.execute()
      : user_ids.length === 0
        ? []
        : await everybody.where('user_id', 'in', user_ids).execute()
  const byId = new Map(rows.map(row => [row.user_id, row]))
  const plans = plansOf(configuration)
  const inherited = new Map<number | null, CommonInForce>()
  const ofPlan = (plan_id: number | null): CommonInForce => {
    const known = inherited.get(plan_id) ?? plans.common(plan_id)
    inherited.set(plan_id, known)
    return known
  }
  return user_id => {
    const row = user_id === null ? undefined : byId.get(user_id)
    return { ...ofPlan(row?.plan_id ?? null), ...ownOf(row?.own_values ?? {}) }
  }
}

function ownOf(values: Partial<Record<CommonField, unknown>>): Partial<CommonInForce> {
  const own = Object.entries(values).filter(
    ([field, value]) => field !== 'spared' && value !== null && value !== undefined,
  )
  return Object.fromEntries(own.map(([field, value]) => [field, { value, origin: { from: 'own' } }])) // of the same fields
}
