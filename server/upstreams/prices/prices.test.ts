import { describe, expect, test } from 'vitest'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { UpstreamPrices } from '#contract/prices.ts'
import type { Portal } from '#contract/status.ts'
import type { ListedModel } from '#server/configuration/models.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { firstUpstream } from '#testing/asks.ts'

const NOON = Date.parse('2026-03-02T12:00:00.000Z')
const priceOf = ({ prices }: UpstreamPrices, model: string) => prices.find(each => each.model === model)

eachStorage((_name, storage) => {
  describe('the prices of an account', () => {
    async function start() {
      const clock = testClock(NOON)
      const portal = await startPortal({ storage: await storage(), clock })
      const id = await firstUpstream(portal.app.services.open.database)
      const path = `/system/upstreams/${id}/prices`
      const save = (prices: object[], expected?: object[], by: Person = portal.admin) =>
        by.call('PUT', path, { prices, ...(expected && { expected }) })
      return { ...portal, clock, id, path, save, read: () => portal.admin.result<UpstreamPrices>('GET', path) }
    }

    test('are not known until somebody sets them, and hold for the models that are named', async () => {
      const { save, read } = await start()
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ name: 'gpt-4', input: null, by: null, from: null })
      await save([{ model: 'gpt_4', input: 2.5, output: 10, cached_input: 1.25 }])
      await save([{ model: 'gpt-3.5-turbo', free: true }])
      const prices = await read()
      expect(prices.currency).toBe('USD')
      expect(priceOf(prices, 'gpt_4')).toMatchObject({
        ...{ input: 2.5, output: 10, cached_input: 1.25, picture: null, free: false },
        ...{ by: 'hand', from: new Date(NOON).toISOString() },
      })
      expect(priceOf(prices, 'gpt_3_5')).toMatchObject({ free: true, by: 'hand' })
    })

    test('are told to whoever chooses a model', async () => {
      const { save, person } = await start()
      await save([
        { model: 'gpt_4', input: 2.5, output: 10 },
        { model: 'gpt_3_5', input: 1 },
      ])
      const { models } = await (await person()).result<Portal>('GET', '/status/portal')
      const pricesOf = models.filter(({ source }) => source === 'openai_api').map(({ code, price }) => [code, price])
      expect(Object.fromEntries(pricesOf)).toEqual({
        gpt_3_5: undefined,
        gpt_4: { input: 2.5, output: 10, currency: 'USD' },
      })
    })

    test('are read where the endpoint lists them, as long as none is set by hand', async () => {
      const { save, read, app, id } = await start()
      const { open, prices } = app.services
      const listed = (input: number): ListedModel => ({
        ...{ ...UNKNOWN_CAPABILITIES, id: 'gpt-4', for_chat: true },
        price: { input: input * 1_000_000, cached_input: null, output: 4_000_000 },
      })
      const keep = async (models: ListedModel[]) => {
        await open.transaction(trx => prices.keepRead(trx, id, models))
        await prices.announce()
      }
      await keep([listed(2), { ...UNKNOWN_CAPABILITIES, id: 'gpt-3.5-turbo', for_chat: true }])
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ input: 2, output: 4, by: 'read' })
      expect(priceOf(await read(), 'gpt_3_5')).toMatchObject({ by: null })
      await save([{ model: 'gpt_4', input: 2, output: 4 }])
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ by: 'read' })
      await save([{ model: 'gpt_4', input: 9, output: 9 }])
      await keep([listed(3)])
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ input: 9, by: 'hand' })
      await save([{ model: 'gpt_4' }])
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ input: 3, by: 'read' })
      await keep([{ ...listed(3), price: undefined } as unknown as ListedModel]) // as a list without it
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ by: null })
    })

    test('may come later, and be taken away', async () => {
      const { save, read, clock } = await start()
      await save([{ model: 'gpt_4', input: 1, output: 2, from: new Date(NOON + 60_000).toISOString() }])
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ by: null })
      expect((await read()).coming).toMatchObject([{ model: 'gpt_4', input: 1, by: 'hand' }])
      clock.pass(60_000)
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ input: 1, output: 2 })
      await save([{ model: 'gpt_4' }])
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ input: null, by: null })
    })

    test.each([
      { input: -1, output: 1 },
      { input: 123_456_789_012, output: 1 },
      { input: 0.000_000_000_012, output: 1 },
      { input: '1', output: 1 },
      { input: 1, output: 1, from: 'tomorrow' },
    ])('are refused as a whole where one is %j', async wrong => {
      const { save, read } = await start()
      expect(
        await save([
          { model: 'gpt_3_5', input: 1, output: 1 },
          { model: 'gpt_4', ...wrong },
        ]),
      ).toMatchObject({ code: 422 })
      expect(priceOf(await read(), 'gpt_3_5')).toMatchObject({ by: null })
    })

    test('of which somebody has changed one meanwhile are not stored', async () => {
      const { save, read } = await start()
      const seen = [{ model: 'gpt_4' }]
      await save([{ model: 'gpt_4', input: 1, output: 1 }], seen)
      expect(await save([{ model: 'gpt_4', input: 2, output: 2 }], seen)).toMatchObject({
        message: 'errors.changedMeanwhile',
      })
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ input: 1 })
    })

    test('are written down when they change, and set back where nobody has changed them since', async () => {
      const { save, read, app, admin } = await start()
      const { open } = app.services
      await save([{ model: 'gpt_4', input: 1, output: 2 }])
      await save([{ model: 'gpt_4', input: 1, output: 3 }])
      await save([{ model: 'gpt_4', input: 1, output: 3 }])
      const written = await open.database
        .selectFrom('audit')
        .selectAll()
        .where('action', '=', 'price.changed')
        .orderBy('id')
        .execute()
      const of = (input: number | null, output: number | null) => ({
        gpt_4: { input, output, cached_input: null, picture: null, free: false },
      })
      expect(written.map(({ before, after }) => [before, after])).toEqual([
        [of(null, null), of(1, 2)],
        [of(1, 2), of(1, 3)],
      ])
      const [first, second] = written.map(({ id }) => `/audit/${id}/undo`)
      expect(await admin.call('POST', first ?? '')).toMatchObject({ message: 'errors.changedMeanwhile' })
      await admin.result('POST', second ?? '')
      expect(priceOf(await read(), 'gpt_4')).toMatchObject({ input: 1, output: 2 })
    })

    test('are for administrators', async () => {
      const { save, person, path } = await start()
      const lin = await person()
      expect(await save([{ model: 'gpt_4', free: true }], undefined, lin)).toMatchObject({ code: 10403 })
      expect(await lin.call('GET', path)).toMatchObject({ code: 10403 })
    })
  })
})
