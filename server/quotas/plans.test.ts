import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration.ts'
import { UNLIMITED, WHOLE_DAY } from '#contract/limits.ts'
import { planOfNewUsers, unlimitedPlan } from './plans.ts'

const NOW = 1_800_000_000_000

const planFor = (new_users: object, openai_web = {}) =>
  planOfNewUsers(Configuration.parse({ new_users, openai_web }), NOW)

describe('the plan for new people', () => {
  test('lets them ask at once, every enabled model, for ever, unless an administrator says otherwise', () => {
    const { sources, counts, credits } = planFor({})
    expect(credits).toBe(0)
    expect(counts).toEqual([])
    expect(sources.map(({ source }) => source)).toEqual(['openai_web', 'openai_api'])
    for (const source of sources) {
      expect(source).toMatchObject({
        allow_to_use: true,
        valid_until: null,
        max_conv_count: UNLIMITED,
        total_ask_count: UNLIMITED,
        rate_limits: [],
        daily_available_time_slots: [WHOLE_DAY],
        available_models: ['*'],
        disable_uploading: false,
        allow_custom_openai_api: false,
      })
    }
  })
  test('counts the days from when the account is made', () => {
    expect(planFor({ valid_days: 30 }).sources.map(({ valid_until }) => valid_until)).toEqual(
      Array(2).fill(NOW + 30 * 86_400_000),
    )
  })
  test('counts a model at the sources that know it, and one that an administrator added at openai_api', () => {
    expect(planFor({ per_model_ask_count: { gpt_4: 5, gpt_4_plugins: 3, qwen: 0 } }).counts).toEqual([
      { source: 'openai_web', model: 'gpt_4', ask_count: 5 },
      { source: 'openai_api', model: 'gpt_4', ask_count: 5 },
      { source: 'openai_web', model: 'gpt_4_plugins', ask_count: 3 },
      { source: 'openai_api', model: 'qwen', ask_count: 0 },
    ])
  })
  test('has the team where the portal has one, and addresses of their own where those are allowed', () => {
    const { sources } = planFor({ allow_custom_openai_api: true }, { enable_team_subscription: true })
    expect(sources).toMatchObject([
      { use_team: true, allow_custom_openai_api: false },
      { use_team: false, allow_custom_openai_api: true },
    ])
  })
  test('holds nothing that its table has no column for', () => {
    const columns = Object.keys(unlimitedPlan().sources[0] ?? {}).toSorted()
    for (const source of planFor({ valid_days: 1 }).sources) expect(Object.keys(source).toSorted()).toEqual(columns)
  })
})

describe('the plan of whoever runs the portal', () => {
  test('counts nothing', () => {
    const { sources, counts, credits } = unlimitedPlan()
    expect([credits, counts]).toEqual([UNLIMITED, []])
    for (const source of sources)
      expect(source).toMatchObject({
        max_conv_count: UNLIMITED,
        total_ask_count: UNLIMITED,
        rate_limits: [],
        valid_until: null,
      })
  })
})
