import { describe, expect, test } from 'vitest'
import type { UpstreamPrices } from '#contract/prices.ts'
import { firstUpstream } from '#testing/asks.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'

const NOON = Date.parse('2026-03-02T12:00:00.000Z')
const HOUR = 3_600_000
const MILLION = 1_000_000

eachStorage((_name, storage) => {
  async function start() {
    const clock = testClock(NOON)
    const portal = await startPortal({ storage: await storage(), clock })
    const id = await firstUpstream(portal.app.services.open.database)
    const path = `/system/upstreams/${id}/prices`
    const { prices } = portal.app.services
    return {
      ...portal,
      ...{ clock, id, path },
      save: (...changes: object[]) => portal.admin.result('PUT', path, { prices: changes }),
      inputAt: (time: number, model = 'gpt_4') => {
        const input = prices.of(id, model, time)?.input
        return input == null ? null : input / MILLION
      },
      of: prices.of,
    }
  }

  describe('the price of a model at a moment', () => {
    test('is the one that held then, whatever was set since', async () => {
      const { save, clock, inputAt } = await start()
      await save({ model: 'gpt_4', input: 1, output: 1 })
      clock.pass(HOUR)
      await save({ model: 'gpt_4', input: 2, output: 1 })
      clock.pass(HOUR)
      await save({ model: 'gpt_4', input: 3, output: 1, from: new Date(NOON + 3 * HOUR).toISOString() })
      expect([-1, 0, HOUR - 1, HOUR, 2 * HOUR, 3 * HOUR - 1, 3 * HOUR].map(after => inputAt(NOON + after))).toEqual([
        ...[null, 1, 1, 2, 2, 2, 3],
      ])
    })

    test('cannot be changed for what is past: a moment that is over is now', async () => {
      const { save, inputAt } = await start()
      await save({ model: 'gpt_4', input: 5, output: 5, from: new Date(NOON - 24 * HOUR).toISOString() })
      expect([inputAt(NOON - 1), inputAt(NOON)]).toEqual([null, 5])
    })

    test('is known by the code of the model and by its name at the endpoint', async () => {
      const { save, inputAt } = await start()
      await save({ model: 'gpt-4', input: 4, output: 4 })
      expect([inputAt(NOON), inputAt(NOON, 'gpt-4'), inputAt(NOON, 'gpt_3_5')]).toEqual([4, null, null])
    })

    test('is that of its account alone', async () => {
      const { save, of, id } = await start()
      await save({ model: 'gpt_4', input: 4, output: 4 })
      expect(of(id + 1, 'gpt_4', NOON)).toBeNull()
      expect(of(0, 'gpt_4', NOON)).toBeNull()
    })

    test('is unknown again from the moment at which it is taken away, and free from that at which it is', async () => {
      const { save, clock, inputAt, of, id } = await start()
      await save({ model: 'gpt_4', input: 4, output: 4 })
      clock.pass(HOUR)
      await save({ model: 'gpt_4' })
      clock.pass(HOUR)
      await save({ model: 'gpt_4', free: true })
      expect([inputAt(NOON), inputAt(NOON + HOUR)]).toEqual([4, null])
      expect(of(id, 'gpt_4', NOON + HOUR)).toBeNull()
      expect(of(id, 'gpt_4', NOON + 2 * HOUR)).toMatchObject({ free: true, input: null })
    })

    test('of nothing is a price, and no missing one', async () => {
      const { save, of, id } = await start()
      await save({ model: 'gpt_4', input: 0, output: 0 })
      expect(of(id, 'gpt_4', NOON)).toMatchObject({ input: 0, output: 0, free: false })
    })

    test('stays as it was when only others are saved, and when it is sent back as it was shown', async () => {
      const { save, admin, path, app } = await start()
      await save({ model: 'gpt_4', input: 0.000_001, output: 999_999.999_999, picture: 0.04 })
      await save({ model: 'gpt_3_5', input: 1, output: 1 })
      const { prices } = await admin.result<UpstreamPrices>('GET', path)
      const rows = () => app.services.open.database.selectFrom('model_prices').selectAll().orderBy('id').execute()
      const before = await rows()
      await save(
        ...prices.map(({ model, input, cached_input, output, picture, free }) => ({
          ...{ model, input, cached_input, output, picture, free },
        })),
      )
      expect(await rows()).toEqual(before)
      expect(before).toMatchObject([{ input: 1, output: 999_999_999_999, picture: 40_000 }, { input: MILLION }])
    })
  })
})
