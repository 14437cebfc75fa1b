import type { LimitWindow, Plan } from '#contract/plans.ts'
import type { AccountWindow } from '#contract/shares.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'

/** The part of a plan: each of its people has `each` of the window. */
export type PlanPart = { plan: Plan; people: number; each: number }
export type Split = { window: AccountWindow; parts: PlanPart[]; reserve: number }

/** Seconds; months by their mean. */
const LENGTHS: Record<Exclude<LimitWindow['kind'], 'rolling' | 'from_first'>, number> = {
  day: 86_400,
  week: 604_800,
  month: 2_629_800,
  ever: Infinity,
}
const lengthOf = (window: LimitWindow): number => ('seconds' in window ? window.seconds : LENGTHS[window.kind])

/**
 * How the longest window of an account is divided by the weights of the plans, if everybody asks; null where it is not.
 * The owner's part is rounded up to whole asks.
 */
export function splitOf(upstream: UpstreamRead, plans: readonly Plan[]): Split | null {
  if (!upstream.enabled || upstream.sharing !== 'shares') return null
  const window = upstream.windows.toSorted((one, other) => lengthOf(other.window) - lengthOf(one.window))[0]
  const members = plans.filter(({ people, in_force }) => people > 0 && in_force[upstream.source].allow_to_use.value)
  const weight = members.reduce((sum, { people, in_force }) => sum + people * in_force.share_weight.value, 0)
  if (window === undefined || window.amount === 0 || weight === 0) return null
  const kept = upstream.owner_id === null ? 0 : (window.amount * upstream.reserve_percent) / 100
  const reserve = window.unit === 'money' ? kept : Math.ceil(kept)
  const parts = members
    .map(plan => ({
      plan,
      people: plan.people,
      each: ((window.amount - reserve) * plan.in_force.share_weight.value) / weight,
    }))
    .filter(({ each }) => each > 0)
  return { window, parts, reserve }
}
