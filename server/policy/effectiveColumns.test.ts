import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { OwnLimit, SparedValue } from '#server/foundation/database/schema/plans.ts'
import { eachDatabase } from '#testing/database.ts'
import { type Random, randomFrom } from '#testing/random.ts'
import { storedUser } from '#testing/rows.ts'
import { effectiveColumns, effectiveSettings } from './effectiveSetting.ts'
import { modelLimit, totalLimit } from './limitList.ts'
import { planStore, readPlans } from './planStore.ts'
import { withPlans } from './planTree.ts'
import { NOTHING_OWN } from './plans.ts'
import { settingStore } from './store.ts'

const NOW = 1_800_000_000_000
const PEOPLE = 60

/** What SQL and what memory say of everybody, in the same order. */
async function bothWays({ database, engine }: OpenDatabase, now: number) {
  const configuration = withPlans(
    Configuration.parse({ new_users: { total_ask_count: 40, per_model_ask_count: { gpt_4: 4 } } }),
    await readPlans(database),
  )
  const columns = effectiveColumns({ database, engine, configuration, now })
  const rows = await database
    .selectFrom('user_source_settings')
    .select(['user_id', 'source', columns.allow_to_use.as('allow_to_use'), columns.valid_until.as('valid_until')])
    .select(eb => [columns.allowed(eb, '').as('total'), columns.allowed(eb, 'gpt_4').as('gpt_4')])
    .execute()
  const read = await effectiveSettings(database, configuration, null, now)
  const keyed = <Row extends { user_id: number; source: string }>(given: readonly Row[]) =>
    given.toSorted((one, other) => one.user_id - other.user_id || (one.source < other.source ? -1 : 1))
  return {
    inSql: keyed(rows.map(row => ({ ...row, allow_to_use: Boolean(row.allow_to_use) }))),
    inMemory: keyed(
      read.map(({ user_id, source, allow_to_use, valid_until, total_ask_allowed, per_model_ask_allowed }) => ({
        ...{ user_id, source, allow_to_use, valid_until },
        total: total_ask_allowed,
        gpt_4: per_model_ask_allowed.get('gpt_4') ?? -1,
      })),
    ),
  }
}

function someLimits(random: Random): OwnLimit[] {
  const until = () => random.of([null, NOW - 1, NOW, NOW + 1, NOW + 1_000])
  const source = random.of(SOURCES)
  const all: OwnLimit[] = [
    { ...totalLimit(source, random.below(90) - 1), until: until() },
    { ...modelLimit(source, 'gpt_4', random.below(90) - 1), until: until() },
    { ...modelLimit(source, 'gpt_3_5', 1), until: null },
    { ...totalLimit(source, 2), models: ['gpt_4', 'gpt_3_5'], until: null },
    { ...totalLimit(source, 3), window: { kind: 'day' }, until: null },
    { ...totalLimit(source, 5), unit: 'tokens', until: null },
  ]
  return all.filter(() => random.percent(60))
}

function someSpared(random: Random): SparedValue[] {
  const spared = (source: Source, field: string, value: unknown): SparedValue => ({
    ...{ source, field, value },
    until: random.of([NOW - 1, NOW, NOW + 1, NOW + 1_000]),
  })
  const all = SOURCES.flatMap(source => [
    spared(source, 'allow_to_use', random.percent(70)),
    spared(source, 'valid_until', random.of([null, 5, NOW + 77])),
    spared(source, 'max_conv_count', 3),
  ])
  return all.filter(() => random.percent(50))
}

async function storedPeople({ database }: OpenDatabase, random: Random): Promise<void> {
  const plan_id = await planStore(database).insert({
    ...{ name: 'Off', parent_id: 1, create_time: 0, update_time: 0 },
    plan_limits: [totalLimit('openai_api', 12)],
    plan_values: { openai_api: { allow_to_use: false, valid_days: 9 }, openai_web: { allow_to_use: false } },
  })
  for (let at = 0; at < PEOPLE; at++) {
    const user_id = await storedUser(database)
    await settingStore(database).insert(user_id, NOTHING_OWN, NOW - at)
    if (random.percent(15)) await settingStore(database).changeSource(user_id, 'openai_api', { total_ask_allowed: at })
    if (random.percent(15)) await settingStore(database).changeSource(user_id, 'openai_web', { valid_until: null })
    if (random.percent(15))
      await settingStore(database).setAllowance({ user_id, source: 'openai_api', model: 'gpt_4', ask_allowed: at })
    if (random.percent(15)) continue
    await planStore(database).setOf(user_id, {
      plan_id: random.percent(60) ? plan_id : null,
      own_limits: random.percent(20) ? null : someLimits(random),
      own_values: random.of([null, { max_keys: 3 }, { spared: someSpared(random) }, { spared: someSpared(random) }]),
    })
  }
}

eachDatabase((_, open) => {
  describe('the effective values in SQL', () => {
    test.each([11, 12, 13])(
      'are those in memory, also of limits and values that are one’s own until a time (%d)',
      async seed => {
        const opened = await open()
        await storedPeople(opened, randomFrom(seed))
        for (const now of [NOW, NOW + 500, NOW + 2_000]) {
          const { inSql, inMemory } = await bothWays(opened, now)
          expect(inSql).toEqual(inMemory)
          expect(inSql).toHaveLength(PEOPLE * SOURCES.length)
          expect(new Set(inSql.map(({ total }) => total)).size).toBeGreaterThan(5)
          expect(new Set(inSql.map(({ allow_to_use }) => allow_to_use)).size).toBe(2)
        }
      },
    )
    test('end with the moment that they are somebody’s own until', async () => {
      const opened = await open()
      const { database } = opened
      const user_id = await storedUser(database)
      await settingStore(database).insert(user_id, NOTHING_OWN, NOW)
      await planStore(database).change(1, { plan_values: { openai_api: { allow_to_use: false } } })
      await planStore(database).setOf(user_id, {
        own_limits: [{ ...totalLimit('openai_api', 99), until: NOW + 5 }],
        own_values: {
          spared: [
            { source: 'openai_api', field: 'allow_to_use', value: true, until: NOW + 5 },
            { source: 'openai_api', field: 'valid_until', value: NOW + 50, until: NOW + 5 },
          ],
        },
      })
      const [before] = (await bothWays(opened, NOW + 4)).inSql
      expect(before).toMatchObject({ allow_to_use: true, total: 99, valid_until: NOW + 50 })
      const [after] = (await bothWays(opened, NOW + 5)).inSql
      expect(after).toMatchObject({ allow_to_use: false, total: 40, valid_until: null })
    })
  })
})
