import { UNLIMITED } from '#contract/limits.ts'
import { type CountState, remainingOf } from '#server/usage/counts.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { Grant } from '#server/usage/requestStore.ts'

/**
 * A setting with what was granted until a time: it raises every limit of its source and unit that bounds anything. What
 * is stored of the limits stays as it is.
 */
export function raisedBy(setting: EffectiveSetting, grants: readonly Grant[]): EffectiveSetting {
  const granted = (unit: Grant['unit']): number =>
    grants
      .filter(grant => grant.source === setting.source && grant.unit === unit)
      .reduce((sum, { amount }) => sum + amount, 0)
  const asks = granted('asks')
  if (grants.length === 0) return setting
  const raised = (count: CountState): CountState =>
    count.allowed === UNLIMITED ? count : { ...count, allowed: count.allowed + asks }
  const total = raised(setting.total)
  return {
    ...setting,
    total,
    total_ask_count: remainingOf(total),
    models: new Map([...setting.models].map(([model, count]) => [model, raised(count)])),
    rate_limits: setting.rate_limits.map(limit => ({ ...limit, max_requests: limit.max_requests + asks })),
    limits: setting.limits.map(limit =>
      limit.amount < 0 ? limit : { ...limit, amount: limit.amount + granted(limit.unit) },
    ),
  }
}
