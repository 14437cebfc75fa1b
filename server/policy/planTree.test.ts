import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import type { PlanValues } from '#contract/plans.ts'
import { SOURCES } from '#contract/models.ts'
import type { OwnLimit, StoredLimit } from '#server/foundation/database/schema/plans.ts'
import { eachDatabase } from '#testing/database.ts'
import { randomFrom } from '#testing/random.ts'
import { aSettingRow, storedUser } from '#testing/rows.ts'
import { effectiveColumns, effectiveSetting, effectiveSettings } from './effectiveSetting.ts'
import { limitKey } from './limitList.ts'
import { planStore, readPlans } from './planStore.ts'
import { type PlanRow, plansOf, type StoredPlans, withPlans } from './planTree.ts'
import { NOTHING_OWN } from './plans.ts'
import { settingStore } from './store.ts'

const NOW = 1_800_000_000_000
const CONFIGURATION = Configuration.parse({ new_users: { max_conv_count: 9, total_ask_count: 90 } })

const aPlan = (fields: Partial<PlanRow>): PlanRow => ({
  id: 1,
  name: `plan ${fields.id ?? 1}`,
  parent_id: fields.id === undefined || fields.id === 1 ? null : 1,
  plan_limits: [],
  plan_values: {},
  version: 0,
  create_time: 0,
  update_time: 0,
  ...fields,
})
const withRows = (...rows: PlanRow[]): Configuration =>
  withPlans(CONFIGURATION, { version: 1, rows: [aPlan({}), ...rows] })
const monthly = (amount: number, fields: Partial<StoredLimit> = {}): StoredLimit => ({
  source: 'openai_api',
  unit: 'asks',
  amount,
  window: { kind: 'month' },
  models: null,
  ...fields,
})

/** Plans that hang below each other at random, and say some things and not others. */
function randomPlans(random: () => number): StoredPlans {
  const count = 2 + Math.floor(random() * 8)
  const maybe = <T>(value: T): T | null => (random() < 0.4 ? value : null)
  const values = (): PlanValues => ({
    openai_api: { max_conv_count: maybe(Math.floor(random() * 100)), allow_to_use: maybe(random() < 0.5) },
    max_keys: maybe(Math.floor(random() * 9)),
  })
  const limits = () =>
    [1, 60, 3600].flatMap(
      seconds => maybe(monthly(Math.floor(random() * 50) - 1, { window: { kind: 'rolling', seconds } })) ?? [],
    )
  const rows = Array.from({ length: count }, (_, at) =>
    aPlan({
      id: at + 1,
      parent_id: at === 0 ? null : 1 + Math.floor(random() * at),
      plan_values: values(),
      plan_limits: limits(),
    }),
  )
  return { version: 3, rows }
}

describe('plans', () => {
  test('come to the first value on the way up, whatever hangs below what', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const stored = randomPlans(randomFrom(seed).next)
      const plans = plansOf(withPlans(CONFIGURATION, stored))
      for (const { id } of stored.rows) {
        const way: PlanRow[] = []
        for (let at: number | null = id; at !== null;) {
          const row: PlanRow = stored.rows[at - 1] ?? aPlan({})
          way.push(row)
          at = row.parent_id
        }
        const first = (read: (row: PlanRow) => unknown, otherwise: unknown) =>
          way.map(read).find(value => value !== null && value !== undefined) ?? otherwise
        const { values, limits } = plans.of(id, 'openai_api')
        expect(values.max_conv_count.value).toBe(first(row => row.plan_values.openai_api?.max_conv_count, 9))
        expect(values.allow_to_use.value).toBe(first(row => row.plan_values.openai_api?.allow_to_use, true))
        expect(plans.common(id).max_keys.value).toBe(first(row => row.plan_values.max_keys, 0))
        for (const seconds of [1, 60, 3600]) {
          const isIt = (limit: StoredLimit) =>
            limitKey(limit) === limitKey(monthly(0, { window: { kind: 'rolling', seconds } }))
          const nearest = way.find(row => row.plan_limits.some(isIt))
          const found = limits.find(
            limit => limitKey(limit) === limitKey(monthly(0, { window: { kind: 'rolling', seconds } })),
          )
          expect(found?.amount).toBe(nearest?.plan_limits.find(isIt)?.amount)
          if (nearest !== undefined) expect(found?.origin).toMatchObject({ plan_id: nearest.id })
        }
      }
    }
  })
  test('that are gone, or go round in a circle, leave the default plan', () => {
    const plans = plansOf(withRows(aPlan({ id: 2, parent_id: 3 }), aPlan({ id: 3, parent_id: 2 })))
    for (const id of [2, 3, 99, null])
      expect(plans.of(id, 'openai_web').values.max_conv_count).toEqual({
        value: 9,
        origin: { from: 'plan', plan_id: 1, name: 'plan 1' },
      })
  })
  test('are worked out once for each configuration, which others than this do not have', () => {
    const planned = withRows(aPlan({ id: 2 }))
    expect(plansOf(planned)).toBe(plansOf(planned))
    expect(plansOf({ ...planned }).rows).toHaveLength(2)
    expect(plansOf(CONFIGURATION).rows).toHaveLength(1)
  })
})

describe('a person in a plan', () => {
  const inPlan = (fields: Parameters<typeof aSettingRow>[0] = {}, now = NOW) =>
    effectiveSetting(
      { row: aSettingRow({ plan_id: 2, ...fields }), allowances: [], used: [] },
      withRows(
        aPlan({
          id: 2,
          plan_limits: [monthly(100), monthly(7, { window: { kind: 'ever' } })],
          plan_values: { openai_api: { valid_days: -1, allow_to_use: false } },
        }),
      ),
      now,
    )
  const own = (limit: StoredLimit, until: number | null): OwnLimit => ({ ...limit, until })
  test('has its values and limits, the older forms as fields and the others as a list', () => {
    const setting = inPlan()
    expect(setting).toMatchObject({ allow_to_use: false, total_ask_count: 7, valid_until: null, max_conv_count: 9 })
    expect(setting.limits).toMatchObject([{ unit: 'asks', amount: 100, window: { kind: 'month' }, until: null }])
    expect(setting.origin.allow_to_use).toMatchObject({ from: 'plan', plan_id: 2 })
  })
  test('has a limit of their own before that of the plan, until its end', () => {
    const own_limits = [own(monthly(200), NOW + 1), own(monthly(20, { window: { kind: 'ever' } }), NOW + 1)]
    expect(inPlan({ own_limits })).toMatchObject({
      total_ask_count: 20,
      limits: [{ amount: 200, origin: { from: 'own' }, until: NOW + 1 }],
    })
    expect(inPlan({ own_limits }, NOW + 1)).toMatchObject({ total_ask_count: 7, limits: [{ amount: 100 }] })
    expect(inPlan({ own_limits, total_ask_allowed: 3 }).total_ask_count).toBe(3)
  })
  test('is without a limit that is lifted for them', () => {
    expect(inPlan({ own_limits: [own(monthly(-1), null)] }).limits).toEqual([])
  })
  test('keeps a value that they are spared the loss of, until its end', () => {
    const spared = [{ source: 'openai_api' as const, field: 'allow_to_use', value: true, until: NOW + 5 }]
    expect(inPlan({ own_values: { spared } })).toMatchObject({
      allow_to_use: true,
      origin: { allow_to_use: { from: 'own' } },
    })
    expect(inPlan({ own_values: { spared } }, NOW + 5).allow_to_use).toBe(false)
  })
})

eachDatabase((_, open) => {
  describe('the effective values in SQL', () => {
    test('are those that are read, of everybody and each source', async () => {
      const { database, engine } = await open()
      const random = randomFrom(7).next
      const now = NOW
      await planStore(database).change(1, { plan_values: { openai_web: { allow_to_use: false } } })
      const ids: (number | null)[] = [null]
      for (let at = 0; at < 5; at++)
        ids.push(
          await planStore(database).insert({
            name: `Plan ${at}`,
            parent_id: ids.at(-1) ?? 1,
            plan_limits:
              random() < 0.5
                ? [monthly(at * 3, { window: { kind: 'ever' }, models: random() < 0.5 ? null : ['gpt_4'] })]
                : [],
            plan_values:
              random() < 0.6
                ? { openai_api: { allow_to_use: random() < 0.5, valid_days: at === 2 ? -1 : 30 + at } }
                : {},
            create_time: 0,
            update_time: 0,
          }),
        )
      for (let at = 0; at < 18; at++) {
        const user_id = await storedUser(database)
        await settingStore(database).insert(user_id, NOTHING_OWN, now - at)
        await planStore(database).setOf(user_id, { plan_id: ids[at % ids.length] ?? null })
        if (at % 4 === 0)
          await settingStore(database).changeSource(user_id, 'openai_api', { valid_until: null, total_ask_allowed: at })
      }
      const configuration = withPlans(
        Configuration.parse({ new_users: { valid_days: 10, per_model_ask_count: { gpt_4: 4 } } }),
        await readPlans(database),
      )
      const columns = effectiveColumns({ database, engine, configuration, now })
      const rows = await database
        .selectFrom('user_source_settings')
        .select(['user_id', 'source', columns.allow_to_use.as('allow_to_use'), columns.valid_until.as('until')])
        .select(eb => [columns.allowed(eb, '').as('total'), columns.allowed(eb, 'gpt_4').as('of_gpt_4')])
        .orderBy('user_id')
        .orderBy('source')
        .execute()
      const read = (await effectiveSettings(database, configuration, null, now)).map(setting => ({
        user_id: setting.user_id,
        source: setting.source,
        allow_to_use: setting.allow_to_use,
        until: setting.valid_until,
        total: setting.total_ask_allowed,
        of_gpt_4: setting.per_model_ask_allowed.get('gpt_4') ?? -1,
      }))
      expect(rows.map(row => ({ ...row, allow_to_use: Boolean(row.allow_to_use) }))).toEqual(
        read.toSorted((a, b) => a.user_id - b.user_id || (a.source < b.source ? -1 : 1)),
      )
      expect(new Set(rows.map(({ until }) => until)).size).toBeGreaterThan(5)
      expect(rows.length).toBe(18 * SOURCES.length)
    })
  })
})
