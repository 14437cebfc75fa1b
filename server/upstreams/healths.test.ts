import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { RefusalValues } from '#contract/refusals.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { eachDatabase } from '#testing/database.ts'
import { healthForModel, openCoolingModels } from './healths.ts'
import { NORMAL } from './health.ts'
import { type CoolingModelRow, coolingModelStore, upstreamStore } from './store.ts'

const NOW = 1_000_000
const HOUR = 3_600_000
const cap = (values: RefusalValues = {}) => new Refusal('openai.429', { of_model: true, ...values })

eachDatabase((_name, opening) => {
  /** A process that shares the database: with what it has read of it. */
  async function aProcess(open: OpenDatabase, upstream_id: number) {
    const time = { now: NOW }
    let rows: readonly CoolingModelRow[] = []
    const store = coolingModelStore(open.database)
    const reload = async () => void (rows = await store.list())
    await reload()
    const models = openCoolingModels({
      open,
      bus: await openBus(open),
      clock: { now: () => time.now, monotonic: () => time.now },
      log: pino({ level: 'silent' }),
      rows: () => rows,
      isShared: id => id === upstream_id,
      reload,
      onChange: () => {},
    })
    return { models, time }
  }
  const anAccount = (open: OpenDatabase) =>
    upstreamStore(open.database).insert({ source: 'openai_web', label: 'a', create_time: 1 })

  describe('a model that an account has had enough of', () => {
    test('cools for as long as it says, in every process, and no other model does', async () => {
      const open = await opening()
      const id = await anAccount(open)
      const { models, time } = await aProcess(open, id)
      expect(models.report(id, 'gpt_4', cap({ retry_after_seconds: 11_461 }), NOW)).toBe(true)
      expect([models.find(id, 'gpt_4')?.cooling_until, models.find(id, 'gpt_3_5')]).toEqual([NOW + 11_461_000, null])
      await models.stored()
      const other = await aProcess(open, id)
      expect(other.models.of(id)).toMatchObject([
        { model: 'gpt_4', cooling_until: NOW + 11_461_000, reason: 'openai.429' },
      ])
      time.now += 11_461_000
      expect(models.of(id)).toEqual([])
    })
    test('cools for a minute where nothing is said, and keeps the longer pause', async () => {
      const open = await opening()
      const id = await anAccount(open)
      const { models } = await aProcess(open, id)
      models.report(id, 'gpt_4', cap(), NOW)
      expect(models.find(id, 'gpt_4')?.cooling_until).toBe(NOW + 60_000)
      models.report(id, 'gpt_4', cap({ retry_after_seconds: 3_600 }), NOW)
      models.report(id, 'gpt_4', cap({ retry_after_seconds: 1 }), NOW)
      expect(models.find(id, 'gpt_4')?.cooling_until).toBe(NOW + HOUR)
      await models.stored()
      expect(models.find(id, 'gpt_4')?.cooling_until).toBe(NOW + HOUR)
    })
    test('cools for the shorter time that is told, where a minute was guessed', async () => {
      const open = await opening()
      const id = await anAccount(open)
      const { models } = await aProcess(open, id)
      models.report(id, 'gpt_4', cap(), NOW)
      await models.stored()
      models.report(id, 'gpt_4', cap({ retry_after_seconds: 3 }), NOW)
      expect(models.find(id, 'gpt_4')?.cooling_until).toBe(NOW + 3_000)
      await models.stored()
      expect(models.find(id, 'gpt_4')?.cooling_until).toBe(NOW + 3_000)
    })
    test('answers again at its next answer, unless that began before', async () => {
      const open = await opening()
      const id = await anAccount(open)
      const { models } = await aProcess(open, id)
      models.report(id, 'gpt_4', cap(), NOW)
      for (const [model, began, cools] of [
        ['gpt_3_5', NOW, true],
        ['gpt_4', NOW - 1, true],
        ['gpt_4', NOW, false],
      ] as const) {
        expect(models.report(id, model, 'answered', began)).toBe(false)
        expect(models.of(id).length > 0).toBe(cools)
      }
      await models.stored()
      expect((await aProcess(open, id)).models.of(id)).toEqual([])
    })
    test('is not meant by what is said of the account, or by a person’s own endpoint', async () => {
      const open = await opening()
      const id = await anAccount(open)
      const { models } = await aProcess(open, id)
      expect(models.report(id, 'gpt_4', new Refusal('openai.429', { retry_after_seconds: 9 }), NOW)).toBe(false)
      expect(models.report(id + 1, 'gpt_4', cap(), NOW)).toBe(false)
      expect(models.of(id)).toEqual([])
    })
  })
})

describe('the health for a model', () => {
  const cooling = { model: 'gpt_4', cooling_until: NOW + HOUR, since: NOW, reason: 'openai.429' }
  const until = NOW + HOUR

  test('is that of the account where the model does not cool', () => {
    expect(healthForModel(NORMAL, null, NOW)).toBe(NORMAL)
    expect(healthForModel(NORMAL, cooling, until)).toBe(NORMAL)
  })
  test('is to cool with the model', () => {
    const cools = { state: 'cooling', until, since: NOW, reason: 'openai.429' }
    expect(healthForModel(NORMAL, cooling, NOW)).toEqual(cools)
    const shorter = { state: 'cooling', until: NOW + 1, since: NOW, reason: 'openai.403' } as const
    expect(healthForModel(shorter, cooling, NOW)).toEqual(cools)
  })
  test('is that of the account where it cools for longer, or needs attention', () => {
    const longer = { state: 'cooling', until: until + 1, since: NOW, reason: 'openai.403' } as const
    const attention = { state: 'attention', next_try: NOW + 1, since: NOW, reason: 'openai.401' } as const
    for (const health of [longer, attention]) expect(healthForModel(health, cooling, NOW)).toBe(health)
  })
})
