import { UNLIMITED } from '#contract/limits.ts'
import type { ValueOrigin } from '#contract/plans.ts'
import type { EffectiveSetting } from './effectiveSetting.ts'
import {
  mergeLimits,
  modelLimit,
  olderForm,
  type PolicyLimit,
  rateLimit,
  strictest,
  totalLimit,
  withOrigin,
} from './limitList.ts'

const OWN: ValueOrigin = { from: 'own' }

/**
 * Every limit of a person and source as one list, those that are columns of their own among them. Rates of their own
 * replace all others: one that is inherited otherwise is lifted.
 */
export function personLimits({ source, listed, ownCounts }: EffectiveSetting): PolicyLimit[] {
  const { total, models, rates } = ownCounts
  const lifted = listed
    .filter(limit => olderForm(limit) === 'rate')
    .map(limit => ({ ...limit, amount: UNLIMITED, origin: OWN, until: null }))
  const columns = [
    ...(total === null ? [] : [totalLimit(source, total)]),
    ...[...models].map(([model, amount]) => modelLimit(source, model, amount)),
    ...strictest(rates ?? []).map(rate => rateLimit(source, rate)),
  ].map(limit => withOrigin(limit, OWN))
  return mergeLimits(rates === null ? columns : mergeLimits(columns, lifted), listed)
}
