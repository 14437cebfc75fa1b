import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { UNLIMITED, WHOLE_DAY } from '#contract/limits.ts'
import { SOURCES } from '#contract/models.ts'
import { aSettingRow } from '#testing/rows.ts'
import { effectiveSetting } from './effectiveSetting.ts'
import { UNLIMITED_VALUES } from './plans.ts'
import { plansOf } from './planTree.ts'

const DAY = 86_400_000
const DEFAULT = { from: 'plan', plan_id: 1, name: 'Default' }
const OWN = { from: 'own' }
const configured = (new_users: object, openai_web = {}) => Configuration.parse({ new_users, openai_web })
const planFor = (new_users: object, openai_web = {}) =>
  SOURCES.map(source => {
    const { values, older } = plansOf(configured(new_users, openai_web)).of(null, source)
    return { ...Object.fromEntries(Object.entries(values).map(([field, { value }]) => [field, value])), ...older }
  })

describe('the default plan', () => {
  test('lets people ask at once, every enabled model, for ever, unless an administrator says otherwise', () => {
    for (const plan of planFor({})) {
      expect(plan).toMatchObject({
        allow_to_use: true,
        valid_days: UNLIMITED,
        max_conv_count: UNLIMITED,
        total_ask_allowed: UNLIMITED,
        rate_limits: [],
        daily_available_time_slots: [WHOLE_DAY],
        available_models: ['*'],
        disable_uploading: false,
        allow_custom_openai_api: false,
      })
      expect(plan.per_model_ask_allowed).toEqual(new Map())
    }
  })
  test('counts a model at the sources that know it, and one that an administrator added at openai_api', () => {
    const [web, api] = planFor({ per_model_ask_count: { gpt_4: 5, gpt_4_plugins: 3, qwen: 0 } })
    expect(web?.per_model_ask_allowed).toEqual(new Map(Object.entries({ gpt_4: 5, gpt_4_plugins: 3 })))
    expect(api?.per_model_ask_allowed).toEqual(new Map(Object.entries({ gpt_4: 5, qwen: 0 })))
  })
  test('has the team where the portal has one, and addresses of their own where those are allowed', () => {
    expect(planFor({ allow_custom_openai_api: true }, { enable_team_subscription: true })).toMatchObject([
      { use_team: true, allow_custom_openai_api: false },
      { use_team: false, allow_custom_openai_api: true },
    ])
  })
})

describe('the setting in force', () => {
  const plan = configured({ valid_days: 30, total_ask_count: 10, max_conv_count: 4, per_model_ask_count: { gpt_4: 3 } })
  const inForce = (own: Parameters<typeof aSettingRow>[0], allowances = {}, used = {}) =>
    effectiveSetting(
      {
        row: aSettingRow({ begin_time: 1_000, ...own }),
        allowances: Object.entries<number>(allowances).map(([model, ask_allowed]) => ({ model, ask_allowed })),
        used: Object.entries<number>(used).map(([model, count]) => ({ model, used: count })),
      },
      plan,
      0,
    )
  test('has the values of the plan where there are no own ones, and the days count from when the account was made', () => {
    const setting = inForce({})
    expect(setting).toMatchObject({ max_conv_count: 4, total_ask_count: 10, valid_until: 1_000 + 30 * DAY })
    expect(setting.models).toEqual(new Map([['gpt_4', { allowed: 3, used: 0 }]]))
    for (const origin of Object.values(setting.origin)) expect(origin).toEqual(DEFAULT)
  })
  test('has own values before those of the plan, and tells them apart', () => {
    const setting = inForce({ max_conv_count: -1, has_own_validity: true }, { gpt_4: 9, llama: 1 })
    expect(setting).toMatchObject({ max_conv_count: -1, valid_until: null, total_ask_count: 10 })
    expect(setting.origin).toMatchObject({ max_conv_count: OWN, valid_until: OWN, total_ask_allowed: DEFAULT })
    expect([...setting.models.keys()]).toEqual(['gpt_4', 'llama'])
  })
  test('has what is left of what is allowed, whoever allows it', () => {
    expect(inForce({}, {}, { '': 4, gpt_4: 5 })).toMatchObject({
      total_ask_count: 6,
      models: new Map([['gpt_4', { allowed: 3, used: 5 }]]),
    })
    expect(inForce({ total_ask_allowed: -1 }, {}, { '': 4 }).total_ask_count).toBe(-1)
  })
})

describe('the values of whoever runs the portal', () => {
  test('limit nothing, and leave nothing to the plan', () => {
    expect(UNLIMITED_VALUES.credits).toBe(UNLIMITED)
    for (const source of SOURCES) {
      const row = aSettingRow({ source, has_own_validity: true, ...UNLIMITED_VALUES.sources[source] })
      const { origin, ...setting } = effectiveSetting(
        { row, allowances: [], used: [] },
        configured({ valid_days: 1 }),
        0,
      )
      expect(setting).toMatchObject({ max_conv_count: -1, total_ask_count: -1, rate_limits: [], valid_until: null })
      for (const each of Object.values(origin)) expect(each).toEqual(OWN)
    }
  })
})
