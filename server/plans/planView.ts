import type { Configuration } from '#contract/configuration/configuration.ts'
import { DEFAULT_PLAN, type LimitInForce, type Plan, type PlanInForce, type PlanValues } from '#contract/plans.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import { type PolicyLimit, sentLimit } from '#server/policy/limitList.ts'
import { type PlanRow, plansOf } from '#server/policy/planTree.ts'

/** A plan as it is sent, with what holds in it. */
export function planView(row: PlanRow, people: number, configuration: Configuration): Plan {
  const { id, name, parent_id, create_time, update_time } = row
  return {
    ...shownValues(row, configuration),
    id,
    name,
    parent_id,
    people,
    limits: shownLimits(row, configuration),
    in_force: inForce(row, configuration),
    create_time: timeText(create_time),
    update_time: timeText(update_time),
  }
}

/** Null is inherited. The default plan inherits from nobody: it shows what holds. */
export function shownValues(row: PlanRow, configuration: Configuration): PlanValues {
  if (row.id !== DEFAULT_PLAN) return row.plan_values
  const of = (source: Source) => {
    const { values } = plansOf(configuration).of(DEFAULT_PLAN, source)
    return Object.fromEntries(Object.entries(values).map(([field, { value }]) => [field, value]))
  }
  const { use_team: _none, ...api } = of('openai_api')
  const { allow_custom_openai_api: _neither, ...web } = of('openai_web')
  return { ...row.plan_values, openai_web: web, openai_api: api }
}

export function shownLimits(row: PlanRow, configuration: Configuration) {
  if (row.id !== DEFAULT_PLAN) return row.plan_limits.map(sentLimit)
  return SOURCES.flatMap(source => plansOf(configuration).of(DEFAULT_PLAN, source).limits.map(sentLimit))
}

function inForce({ id }: PlanRow, configuration: Configuration): PlanInForce {
  const plans = plansOf(configuration)
  const [web, api] = [plans.of(id, 'openai_web'), plans.of(id, 'openai_api')]
  const days = ({ value, origin }: (typeof web)['values']['valid_days']) => ({
    value: value < 0 ? null : value,
    origin,
  })
  return {
    openai_web: { ...web.values, valid_days: days(web.values.valid_days) },
    openai_api: { ...api.values, valid_days: days(api.values.valid_days) },
    ...(plans.common(id) as Omit<PlanInForce, 'openai_web' | 'openai_api' | 'limits'>), // of the fields that have a base none is null
    limits: [...web.limits, ...api.limits].map(sentInForce),
  }
}

export const sentInForce = ({ origin, until, ...limit }: PolicyLimit): LimitInForce => ({
  ...sentLimit(limit),
  origin,
  until: until === null ? null : timeText(until),
})

const timeText = (time: number) => new Date(time).toISOString()
