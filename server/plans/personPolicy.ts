import type { Configuration } from '#contract/configuration/configuration.ts'
import type { PersonPolicy, PolicyChanges } from '#contract/planPeople.ts'
import { SOURCES } from '#contract/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { effectiveCommon, type EffectiveSetting, effectiveSettings } from '#server/policy/effectiveSetting.ts'
import { withAudit } from '#server/policy/auditing.ts'
import { changeOwnPolicy, planOf } from '#server/policy/ownPolicy.ts'
import { personLimits } from '#server/policy/personLimits.ts'
import { planStore } from '#server/policy/planStore.ts'
import { userStore } from '#server/users/store.ts'
import { sentInForce } from './planView.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration }

/** What holds for one person, with whose each value is, and what of it is made their own. */
export function openPersonPolicy({ open, clock, configuration }: Dependencies) {
  async function read(user_id: number, database: Database = open.database): Promise<PersonPolicy> {
    const settings = await effectiveSettings(database, configuration(), [user_id], clock.now())
    const row = await planStore(database).of(user_id)
    const [web, api] = SOURCES.map(source => settings.find(each => each.source === source))
    if (web === undefined || api === undefined) throw new Refusal('userNotExist')
    const plan = planOf(configuration(), row?.plan_id)
    return {
      plan: { plan_id: plan?.id ?? 1, name: plan?.name ?? '' },
      openai_web: ofSource(web),
      openai_api: ofSource(api),
      ...(effectiveCommon(configuration(), row) as Omit<PersonPolicy, 'plan' | 'openai_web' | 'openai_api' | 'limits'>), // none that has a base is null
      limits: [...personLimits(web), ...personLimits(api)].map(sentInForce),
    }
  }

  return {
    read: (user_id: number) => read(user_id),

    async change(user_id: number, changes: PolicyChanges): Promise<PersonPolicy> {
      await open.transaction(async trx => {
        await userStore(trx).lock(user_id, open.engine)
        const context = { engine: open.engine, configuration: configuration(), now: clock.now() }
        await withAudit(trx, user_id, () => changeOwnPolicy(trx, user_id, changes, context))
      })
      return read(user_id)
    },
  }
}
export type PersonPolicies = ReturnType<typeof openPersonPolicy>

function ofSource(setting: EffectiveSetting) {
  const { origin } = setting
  const of = <Field extends Exclude<keyof typeof origin, 'valid_until'>>(field: Field) => ({
    value: setting[field],
    origin: origin[field],
  })
  const { valid_until } = setting
  return {
    allow_to_use: of('allow_to_use'),
    available_models: of('available_models'),
    daily_available_time_slots: of('daily_available_time_slots'),
    max_conv_count: of('max_conv_count'),
    disable_uploading: of('disable_uploading'),
    use_team: of('use_team'),
    allow_custom_openai_api: of('allow_custom_openai_api'),
    valid_until: {
      value: valid_until === null ? null : new Date(valid_until).toISOString(),
      origin: origin.valid_until,
    },
  }
}
