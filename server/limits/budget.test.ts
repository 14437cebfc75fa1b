import { describe, expect, test } from 'vitest'
import type { Allowance } from '#contract/allowance.ts'
import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import { planStore } from '#server/policy/planStore.ts'
import { firstUpstream } from '#testing/asks.ts'
import { testClock } from '#testing/clock.ts'
import { aSimulator } from '#testing/dataFolder.ts'
import { eachStorage } from '#testing/database.ts'
import { type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const NOON = Date.parse('2026-03-25T12:00:00.000Z')
const DAY: LimitWindow = { kind: 'day' }

type Limit = { unit: LimitUnit; amount: number; window?: LimitWindow; models?: string[] }

const lastOf = async (person: Person, text: string, model = 'gpt_4') => {
  const chat = await person.chat(question(text, { new_title: 'x', model }))
  return chat.until(frame => frame.type === 'finished' || frame.type === 'error')
}

eachStorage((_name, storage) => {
  describe('under a limit of a list', () => {
    async function start(environment: Record<string, string> = {}) {
      const clock = testClock(NOON)
      const portal = await startPortal({ storage: await storage(), clock, environment })
      const { database } = portal.app.services.open
      const upstream_id = await firstUpstream(database)
      const lin = await portal.person()
      return {
        ...portal,
        clock,
        lin,
        limit: (...limits: Limit[]) =>
          planStore(database).setOf(lin.id, {
            own_limits: limits.map(({ window = DAY, models = null, ...limit }) => ({
              ...{ ...limit, source: 'openai_api' as const, window, models: models === null ? null : [...models] },
              until: null,
            })),
          }),
        price: (price: object, model = 'gpt_4') =>
          portal.admin.result('PUT', `/system/upstreams/${upstream_id}/prices`, { prices: [{ model, ...price }] }),
        spent: async () => {
          const rows = await database.selectFrom('usage_ledger').selectAll().where('user_id', '=', lin.id).execute()
          return rows.reduce((sum, { cost }) => sum + cost, 0)
        },
        credits: async () => {
          const [row] = await database.selectFrom('user_credits').selectAll().where('user_id', '=', lin.id).execute()
          return row?.credits
        },
        sentLimits: () =>
          portal.simulator.journal.map(({ body }) => (body as { max_tokens?: number }).max_tokens ?? null), // as it is sent
      }
    }

    test('in asks, the ask after the last one is refused until the window ends', async () => {
      const { lin, limit, clock } = await start()
      await limit({ unit: 'asks', amount: 2 }, { unit: 'asks', amount: 5, window: { kind: 'month' } })
      for (const text of ['one', 'two']) expect(await lastOf(lin, text)).toMatchObject({ type: 'finished' })
      const midnight = '2026-03-26T00:00:00.000Z'
      expect(await lastOf(lin, 'three')).toMatchObject({
        tip: 'errors.limitReached',
        values: { unit: 'asks', amount: 2, window: 'day', opens_at: midnight },
      })
      clock.set(Date.parse(midnight) - 1)
      expect(await lastOf(lin, 'three')).toMatchObject({ tip: 'errors.limitReached' })
      clock.set(Date.parse(midnight))
      expect(await lastOf(lin, 'three')).toMatchObject({ type: 'finished' })
    })

    test('from the first ask on, that opens its window, and one without an answer opens none', async () => {
      const { lin, limit, clock, simulator } = await start()
      await limit({ unit: 'asks', amount: 1, window: { kind: 'from_first', seconds: 18_000 } })
      simulator.nextFault({ kind: 'status', status: 500 })
      await lastOf(lin, 'refused')
      clock.pass(3_600_000)
      expect(await lastOf(lin, 'one')).toMatchObject({ type: 'finished' })
      expect(await lastOf(lin, 'two')).toMatchObject({ values: { opens_at: '2026-03-25T18:00:00.000Z' } })
      clock.pass(18_000_000)
      expect(await lastOf(lin, 'two')).toMatchObject({ type: 'finished' })
    })

    test('in tokens, an answer may have what is left beside its question, and is refused where that is none', async () => {
      const { lin, limit, sentLimits } = await start()
      await limit({ unit: 'tokens', amount: 60, models: ['gpt_4'] })
      expect(await lastOf(lin, '/simulate tokens=1000')).toMatchObject({ type: 'finished' })
      const [bound] = sentLimits()
      expect(bound).toBeGreaterThan(30)
      expect(bound).toBeLessThan(60)
      expect(await lastOf(lin, 'more')).toMatchObject({ tip: 'errors.tokensReached', values: { amount: 60 } })
      expect(await lastOf(lin, 'another model', 'gpt_3_5')).toMatchObject({ type: 'finished' })
      expect(sentLimits().at(-1)).toBe(null)
    })

    test('in money, a model without a price is refused in words, and a free one is not', async () => {
      const { lin, limit, price } = await start()
      await limit({ unit: 'money', amount: 0 })
      expect(await lastOf(lin, 'hi')).toMatchObject({ tip: 'errors.modelHasNoPrice', values: { model: 'gpt_4' } })
      await price({ input: 3 })
      expect(await lastOf(lin, 'hi')).toMatchObject({ tip: 'errors.modelHasNoPrice' })
      const { sources } = await lin.result<Allowance>('GET', '/user/me/allowance')
      expect(sources.find(({ source }) => source === 'openai_api')?.verdict.message).toBe('errors.modelHasNoPrice')
      await price({ free: true })
      expect(await lastOf(lin, 'hi')).toMatchObject({ type: 'finished' })
      await price({ input: 1, output: 1 })
      expect(await lastOf(lin, 'hi')).toMatchObject({
        tip: 'errors.budgetReached',
        values: { amount: 0, currency: 'USD' },
      })
    })

    test('in money, models that cost less than what is left may still be asked, and free ones always', async () => {
      const { lin, limit, price } = await start()
      const verdicts = async () => {
        const { sources } = await lin.result<Allowance>('GET', '/user/me/allowance')
        const models = sources.find(({ source }) => source === 'openai_api')?.models ?? []
        return Object.fromEntries(models.map(({ model, verdict }) => [model, verdict.message]))
      }
      await price({ input: 0, output: 1_000 })
      await price({ input: 0, output: 1 }, 'gpt_3_5')
      await limit({ unit: 'money', amount: 20_000 })
      expect(await verdicts()).toMatchObject({ gpt_4: null, gpt_3_5: null })
      expect(await lastOf(lin, '/simulate tokens=12')).toMatchObject({ type: 'finished' })
      // What is left pays for half the shortest answer of the dear one.
      expect(await verdicts()).toMatchObject({ gpt_4: 'errors.budgetReached', gpt_3_5: null })
      expect(await lastOf(lin, 'hi')).toMatchObject({ tip: 'errors.budgetReached' })
      expect(await lastOf(lin, '/simulate tokens=12', 'gpt_3_5')).toMatchObject({ type: 'finished' })
      await limit({ unit: 'money', amount: 0 })
      expect(await verdicts()).toMatchObject({ gpt_4: 'errors.budgetReached', gpt_3_5: 'errors.budgetReached' })
      await price({ free: true }, 'gpt_3_5')
      expect(await verdicts()).toMatchObject({ gpt_4: 'errors.budgetReached', gpt_3_5: null })
      const { sources } = await lin.result<Allowance>('GET', '/user/me/allowance')
      expect(sources.find(({ source }) => source === 'openai_api')?.verdict.may_ask).toBe(true)
      expect(await lastOf(lin, 'hi', 'gpt_3_5')).toMatchObject({ type: 'finished' })
    })

    test('in money, nobody spends more than it, however long the answers would be', async () => {
      const { lin, limit, price, spent, clock } = await start()
      await price({ input: 1, output: 100 })
      await limit({ unit: 'money', amount: 10_000 })
      const ends = []
      for (let count = 0; count < 6; count++) ends.push(await lastOf(lin, '/simulate tokens=45'))
      expect(ends.filter(({ type }) => type === 'finished').length).toBeGreaterThan(1)
      expect(ends.at(-1)).toMatchObject({
        tip: 'errors.budgetReached',
        values: { unit: 'money', amount: 0.01, currency: 'USD', window: 'day', opens_at: '2026-03-26T00:00:00.000Z' },
      })
      expect(await spent()).toBeLessThanOrEqual(10_000)
      expect(await spent()).toBeGreaterThan(8_000)
      clock.pass(12 * 3_600_000)
      expect(await lastOf(lin, '/simulate tokens=45')).toMatchObject({ type: 'finished' })
    })

    test('in money, an address of one’s own costs the portal nothing, and needs no price', async () => {
      const own = await aSimulator()
      const environment = { COMMONS_AUTH_ALLOW_PRIVATE_CUSTOM_URLS: '["127.0.0.1"]' }
      const { lin, limit, admin, price, spent } = await start(environment)
      await limit({ unit: 'money', amount: 0 })
      await price({ input: 5, output: 5 })
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { allow_custom_openai_api: true } })
      await lin.result('PUT', '/user/me/openai-api', { url: own.url, key: 'my-own-key' })
      expect(await lastOf(lin, 'hi')).toMatchObject({ type: 'finished' })
      const { sources } = await lin.result<Allowance>('GET', '/user/me/allowance')
      expect(sources.find(({ source }) => source === 'openai_api')?.verdict.may_ask).toBe(true)
      expect([own.journal.length, await spent()]).toEqual([1, 0])
    })

    test('in money, credits pay for what goes beyond it where the portal lets them, and are given back', async () => {
      const { lin, limit, price, spent, credits, admin, simulator } = await start({
        COMMONS_MONEY_CREDITS_AS_MONEY: 'true',
      })
      await price({ input: 0, output: 1_000 })
      await limit({ unit: 'money', amount: 10_000 })
      await admin.result('PATCH', `/user/${lin.id}/setting`, { credits: 0.03, openai_api: { total_ask_count: 9 } })
      expect(await lastOf(lin, '/simulate tokens=12')).toMatchObject({ type: 'finished' })
      expect([await spent(), await credits()]).toEqual([12_000, 0.028])
      simulator.nextFault({ kind: 'status', status: 500 })
      await lastOf(lin, 'refused by the upstream')
      expect(await credits()).toBe(0.028)
      expect(await lastOf(lin, '/simulate tokens=1000')).toMatchObject({ type: 'finished' })
      expect(await spent()).toBe(40_000)
      expect(await credits()).toBeCloseTo(0, 9)
      expect(await lastOf(lin, 'more')).toMatchObject({ tip: 'errors.budgetReached' })
    })
  })
})
