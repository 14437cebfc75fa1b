import type { Configuration } from '#contract/configuration/configuration.ts'
import type { OfferedInvitation } from '#contract/joining.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import { DEFAULT_PLAN } from '#contract/plans.ts'
import { enabledModels } from '#server/configuration/models.ts'
import { sentLimit } from '#server/policy/limitList.ts'
import { explicitModels } from '#server/policy/plans.ts'
import { plansOf } from '#server/policy/planTree.ts'

/** What a plan gives to somebody who is in it, in short. Sources that are off, or not allowed, are left out. */
export function offerOf(plan_id: number | null, configuration: Configuration): OfferedInvitation['plan'] {
  const plans = plansOf(configuration)
  const offered = SOURCES.filter(source => configuration[source].enabled)
    .map(source => ({ source, ...plans.of(plan_id, source) }))
    .filter(({ values }) => values.allow_to_use.value)
  const models = offered.flatMap(({ source, values }) => modelsOf(source, values.available_models.value, configuration))
  const plan = plans.rows.find(({ id }) => id === plan_id)
  return {
    name: plan === undefined || plan.id === DEFAULT_PLAN ? null : plan.name,
    limits: offered
      .flatMap(({ limits }) => limits)
      .filter(({ amount, models: some }) => amount >= 0 && some === null)
      .map(sentLimit)
      .map(({ source, unit, amount, window }) => ({
        source,
        unit,
        amount,
        window: window.kind,
        seconds: 'seconds' in window ? window.seconds : null,
      })),
    currency: configuration.money.currency,
    models: new Set(models).size,
    may_upload: offered.some(({ values }) => !values.disable_uploading.value),
  }
}

/** Those of the list that are enabled now. */
function modelsOf(source: Source, stored: readonly string[], configuration: Configuration): string[] {
  const enabled = new Set<string>(enabledModels(configuration, source).map(({ code }) => code))
  return explicitModels(stored, configuration, source)
    .filter(code => enabled.has(code))
    .map(code => `${source} ${code}`)
}
