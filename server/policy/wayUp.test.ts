import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import type { PlanValues } from '#contract/plans.ts'
import type { OwnCommonValues, OwnLimit, SparedValue, StoredLimit } from '#server/foundation/database/schema/plans.ts'
import { eachDatabase } from '#testing/database.ts'
import { aSettingRow, storedUser } from '#testing/rows.ts'
import { commonValues } from './commonValues.ts'
import { effectiveCommon, effectiveSetting, effectiveValues } from './effectiveSetting.ts'
import { limitKey, modelLimit, rateLimit, totalLimit } from './limitList.ts'
import { personLimits } from './personLimits.ts'
import { planStore, readPlans } from './planStore.ts'
import { COMMON_FIELDS, type CommonField, type PlanRow, withPlans } from './planTree.ts'

const NOW = 1_800_000_000_000
const DAY = 86_400_000
const [DEFAULT, PARENT, PLAN] = [1, 2, 3]
const OWN = { from: 'own' }
const slot = (hour: number) => [{ start_time: `0${hour}:00:00`, end_time: '20:00:00' }]
const NEW_USERS = {
  allow_to_use: true,
  daily_available_time_slots: slot(1),
  valid_days: 10,
  max_conv_count: 10,
  total_ask_count: 10,
  allow_custom_openai_api: true,
}

type Level = { values?: PlanValues; limits?: StoredLimit[] }

/** The plan of the person, the one above it, and the default one above both. */
function configured(plan: Level, parent: Level = {}, base: Level = {}): Configuration {
  const row = (id: number, parent_id: number | null, { values = {}, limits = [] }: Level): PlanRow => ({
    ...{ id, name: `plan ${id}`, parent_id, plan_values: values, plan_limits: limits },
    ...{ version: 0, create_time: 0, update_time: 0 },
  })
  return withPlans(Configuration.parse({ new_users: NEW_USERS }), {
    version: 1,
    rows: [row(DEFAULT, null, base), row(PARENT, DEFAULT, parent), row(PLAN, PARENT, plan)],
  })
}

const inForce = (configuration: Configuration, own: Parameters<typeof aSettingRow>[0] = {}, now = NOW) =>
  effectiveSetting(
    { row: aSettingRow({ plan_id: PLAN, begin_time: NOW, ...own }), allowances: [], used: [] },
    configuration,
    now,
  )
const ofPlan = (plan_id: number) => ({ from: 'plan', plan_id })

/** Of the person, their plan, its parent, the default plan's row, and the settings. */
const FIELDS = {
  allow_to_use: [false, true, false, false, true],
  available_models: [['a'], ['b'], [], ['d'], ['*']],
  daily_available_time_slots: [slot(5), slot(4), [], slot(2), slot(1)],
  max_conv_count: [0, 7, -1, 9, 10],
  disable_uploading: [false, true, false, true, false],
  allow_custom_openai_api: [false, true, false, false, true],
} as const

describe('a value of a source', () => {
  test.each(Object.keys(FIELDS) as (keyof typeof FIELDS)[])(
    '%s is one’s own, else that of the plan, of the one above it, of the default one, of the settings',
    field => {
      const [own, plan, parent, base, settings] = FIELDS[field]
      const level = (value: unknown): Level => ({ values: { openai_api: { [field]: value } } })
      const expected: [ReturnType<typeof inForce>, unknown, object][] = [
        [inForce(configured(level(plan), level(parent), level(base)), { [field]: own }), own, OWN],
        [inForce(configured(level(plan), level(parent), level(base))), plan, ofPlan(PLAN)],
        [inForce(configured(level(null), level(parent), level(base))), parent, ofPlan(PARENT)],
        [inForce(configured({}, level(null), level(base))), base, ofPlan(DEFAULT)],
        [inForce(configured({}, {}, level(null))), settings, ofPlan(DEFAULT)],
      ]
      for (const [setting, value, origin] of expected) {
        expect(setting[field]).toEqual(value)
        expect(setting.origin[field]).toMatchObject(origin)
      }
    },
  )
  test('of the other source is none of this one', () => {
    const web = configured({ values: { openai_web: { max_conv_count: 3, use_team: true } } })
    expect(inForce(web)).toMatchObject({ max_conv_count: 10, use_team: false })
    expect(inForce(web, { source: 'openai_web' })).toMatchObject({ max_conv_count: 3, use_team: true })
  })
  test('that ends counts its days from the beginning of the account, and one’s own has no end where it says so', () => {
    const days = (valid_days: number): Level => ({ values: { openai_api: { valid_days } } })
    expect(inForce(configured(days(3), days(9))).valid_until).toBe(NOW + 3 * DAY)
    expect(inForce(configured(days(-1), days(9))).valid_until).toBe(null)
    expect(inForce(configured({})).valid_until).toBe(NOW + 10 * DAY)
    const own = inForce(configured(days(3)), { has_own_validity: true, valid_until: null })
    expect(own).toMatchObject({ valid_until: null, origin: { valid_until: OWN } })
  })
})

describe('a value that somebody is spared the loss of', () => {
  const spared = (field: string, value: unknown, until = NOW + 5): { own_values: OwnCommonValues } => ({
    own_values: { spared: [{ source: 'openai_api', field, value, until } satisfies SparedValue] },
  })
  test.each(Object.keys(FIELDS) as (keyof typeof FIELDS)[])('%s is theirs until then, and no longer', field => {
    const [own, plan] = FIELDS[field]
    const configuration = configured({ values: { openai_api: { [field]: plan } } })
    const until = new Date(NOW + 5).toISOString()
    const before = inForce(configuration, spared(field, own), NOW + 4)
    expect(before[field]).toEqual(own)
    expect(before.origin[field]).toEqual({ ...OWN, until })
    const after = inForce(configuration, spared(field, own), NOW + 5)
    expect(after[field]).toEqual(plan)
    expect(after.origin[field]).toMatchObject(ofPlan(PLAN))
  })
  test('comes after one of their own that has no end', () => {
    expect(inForce(configured({}), { max_conv_count: 4, ...spared('max_conv_count', 99) }).max_conv_count).toBe(4)
    const validity = spared('valid_until', null)
    expect(inForce(configured({}), validity).valid_until).toBe(null)
    expect(inForce(configured({}), { has_own_validity: true, valid_until: 8, ...validity }).valid_until).toBe(8)
  })
})

describe('a limit', () => {
  const source = 'openai_api'
  const rate = (seconds: number, max_requests: number) => rateLimit(source, { window_seconds: seconds, max_requests })
  const monthly = (amount: number): StoredLimit => ({ ...totalLimit(source, amount), window: { kind: 'month' } })
  const until = (limit: StoredLimit, end: number | null): OwnLimit => ({ ...limit, until: end })
  const shown = (setting: ReturnType<typeof inForce>) =>
    Object.fromEntries(
      personLimits(setting).map(limit => [
        limitKey(limit),
        [limit.amount, limit.origin.from === 'own' ? 'own' : limit.origin.plan_id],
      ]),
    )
  test('of each form is the nearest of own, plan, parent, default and settings, each by itself', () => {
    const configuration = configured(
      { limits: [rate(60, 3), modelLimit(source, 'gpt_4', 3)] },
      { limits: [rate(60, 2), rate(3_600, 2), monthly(2)] },
      { limits: [monthly(1), modelLimit(source, 'gpt_4', 1), modelLimit(source, 'gpt_3_5', 1)] },
    )
    const inherited = {
      [limitKey(rate(60, 0))]: [3, PLAN],
      [limitKey(modelLimit(source, 'gpt_4', 0))]: [3, PLAN],
      [limitKey(rate(3_600, 0))]: [2, PARENT],
      [limitKey(monthly(0))]: [2, PARENT],
      [limitKey(modelLimit(source, 'gpt_3_5', 0))]: [1, DEFAULT],
      [limitKey(totalLimit(source, 0))]: [10, DEFAULT],
    }
    expect(shown(inForce(configuration))).toEqual(inherited)
    const own = { own_limits: [until(monthly(8), null), until(rate(60, 9), NOW + 1)], total_ask_allowed: 7 }
    expect(shown(inForce(configuration, own))).toEqual({
      ...inherited,
      [limitKey(monthly(0))]: [8, 'own'],
      [limitKey(rate(60, 0))]: [9, 'own'],
      [limitKey(totalLimit(source, 0))]: [7, 'own'],
    })
    expect(shown(inForce(configuration, own, NOW + 1))).toEqual({
      ...inherited,
      [limitKey(monthly(0))]: [8, 'own'],
      [limitKey(totalLimit(source, 0))]: [7, 'own'],
    })
  })
  test('of a rate that an old client set replaces all rates that are inherited, and those only', () => {
    const configuration = configured({ limits: [rate(60, 3), rate(3_600, 3), monthly(3)] })
    const setting = inForce(configuration, { rate_limits: [{ window_seconds: 10, max_requests: 1 }] })
    expect(setting.rate_limits).toEqual([{ window_seconds: 10, max_requests: 1 }])
    expect(setting.limits.map(({ amount }) => amount)).toEqual([3])
    expect(shown(setting)).toMatchObject({
      [limitKey(rate(10, 0))]: [1, 'own'],
      [limitKey(rate(60, 0))]: [-1, 'own'],
      [limitKey(rate(3_600, 0))]: [-1, 'own'],
    })
    expect(inForce(configuration, { rate_limits: [] })).toMatchObject({ rate_limits: [] })
  })
  test('of a rate that settings have twice is the stricter one, once', () => {
    const rates = [5, 2, 4].map(max_requests => ({ window_seconds: 60, max_requests }))
    const setting = inForce(configured({}), { rate_limits: rates })
    expect(personLimits(setting).filter(({ window }) => window.kind === 'rolling')).toMatchObject([{ amount: 2 }])
  })
  test('that is lifted on the way is none, and a nearer one holds again', () => {
    const lifted = [totalLimit(source, -1), monthly(-1), rate(60, -1)]
    const configuration = configured({}, { limits: lifted }, { limits: [monthly(4), rate(60, 4)] })
    expect(inForce(configuration)).toMatchObject({ total_ask_count: -1, limits: [], rate_limits: [] })
    const own = { own_limits: [until(monthly(6), NOW + 1)] }
    expect(inForce(configuration, own).limits).toMatchObject([{ amount: 6, until: NOW + 1 }])
    expect(inForce(configuration, own, NOW + 1).limits).toEqual([])
  })
})

/** Of the person, their plan, its parent, the default plan, and where nobody says anything. */
const COMMON: Record<CommonField, readonly unknown[]> = {
  max_upload_bytes: [5, 4, 0, 2, null],
  max_file_bytes: [5, 0, 3, 2, null],
  instructions: ['own', '', 'parent', 'default', ''],
  share_weight: [0, 4, 3, 2, 1],
  may_borrow: [true, false, true, false, true],
  max_keys: [5, 0, 3, 2, 0],
  retention_days: [-1, 4, 3, -1, null],
  deleted_retention_days: [0, 4, 0, 2, null],
}

describe('a value of no source', () => {
  test.each(COMMON_FIELDS)('%s is one’s own, else the nearest on the way up; nothing and false are values', field => {
    const [own, plan, parent, base, otherwise] = COMMON[field]
    const level = (value: unknown): Level => ({ values: { [field]: value } })
    const row = (own_values: OwnCommonValues | null) => ({ plan_id: PLAN, own_values })
    const full = configured(level(plan), level(parent), level(base))
    const expected: [ReturnType<typeof effectiveCommon>, unknown, object][] = [
      [effectiveCommon(full, row({ [field]: own })), own, OWN],
      [effectiveCommon(full, row(null)), plan, ofPlan(PLAN)],
      [effectiveCommon(configured(level(null), level(parent)), row({})), parent, ofPlan(PARENT)],
      [effectiveCommon(configured({}, {}, level(base)), row({})), base, ofPlan(DEFAULT)],
      [effectiveCommon(full, undefined), base, ofPlan(DEFAULT)],
      [effectiveCommon(configured({}), row({})), otherwise, ofPlan(DEFAULT)],
    ]
    for (const [values, value, origin] of expected) expect(values[field]).toMatchObject({ value, origin })
  })
})

eachDatabase((_, open) => {
  describe('the values of no source of many people', () => {
    test('are those of each of them, and of nobody those of the default plan', async () => {
      const { database } = await open()
      const store = planStore(database)
      const stamps = { create_time: 0, update_time: 0 }
      await store.change(DEFAULT, { plan_values: { max_keys: 2, share_weight: 50 } })
      const plan = await store.insert({
        ...stamps,
        ...{ name: 'Family', parent_id: DEFAULT, plan_limits: [], plan_values: { max_keys: 4, may_borrow: false } },
      })
      const rows: Parameters<typeof store.setOf>[1][] = [
        { plan_id: null },
        { plan_id: plan },
        { plan_id: plan, own_values: { max_keys: 0, instructions: 'own' } },
        { own_values: { retention_days: -1, spared: [{ source: 'openai_api', field: 'x', value: 1, until: NOW }] } },
      ]
      const ids = [await storedUser(database)]
      for (const row of rows) {
        const id = await storedUser(database)
        await store.setOf(id, row)
        ids.push(id)
      }
      const configuration = withPlans(Configuration.parse({}), await readPlans(database))
      for (const asked of [null, ids, []]) {
        const of = await commonValues(database, configuration, asked)
        expect(of(null)).toMatchObject({ max_keys: { value: 2 }, share_weight: { value: 50 } })
        for (const id of asked ?? ids) expect(of(id)).toEqual(await effectiveValues(database, configuration, id))
      }
      const all = await commonValues(database, configuration, null)
      expect(ids.map(id => all(id).max_keys.value)).toEqual([2, 2, 4, 0, 2])
    })
  })
})
