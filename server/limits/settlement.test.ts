import { describe, expect, test } from 'vitest'
import type { ReservedUse } from '#server/asks/ask.ts'
import type { AskRow } from '#server/asks/store.ts'
import type { Price } from '#server/upstreams/prices/price.ts'
import { anAnswer, firstUpstream } from '#testing/asks.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { settledUse } from './settlement.ts'

const aReservation = (use: Partial<ReservedUse> = {}) => ({
  ...{ total: false, model: false },
  use: {
    ...{ tokens: 500, input_tokens: 120, cost: 900, credit_cost: 0, price: aPrice(2, 4), upstream_id: 7 },
    ...{ isBounded: true, isPaid: true, windows: [], ...use },
  },
})
const aPrice = (input: number, output: number): Price => ({
  ...{ input: input * 1_000_000, output: output * 1_000_000, cached_input: null, picture: 50, free: false },
})
const ask = (fields: Partial<AskRow> = {}) =>
  ({ upstream_id: 7, model: 'gpt_4', create_time: 1_000, reserved: aReservation(), ...fields }) as AskRow // of what counts

describe('the cost of an ask', () => {
  const tokens = { prompt_tokens: 100, completion_tokens: 50, tokens_estimated: false, cached_tokens: null }
  const dearer = () => aPrice(20, 40)
  test('is that of the price that was reserved, whatever it is now', () => {
    expect(settledUse(ask(), [], tokens, dearer).cost).toBe(400)
  })
  test('is that of the account that answered, where the ask has moved', () => {
    expect(settledUse(ask({ upstream_id: 8 }), [], tokens, dearer).cost).toBe(4_000)
    expect(settledUse(ask({ upstream_id: 8 }), [], tokens, () => null).cost).toBe(null)
  })
  test('has what was counted of the question where a process died with it', () => {
    const unknown = { ...tokens, prompt_tokens: null, tokens_estimated: true }
    expect(settledUse(ask(), [], unknown, dearer)).toMatchObject({ tokens: { prompt_tokens: 120 }, cost: 440 })
    expect(settledUse(ask({ reserved: { total: false, model: false } }), [], unknown, dearer).cost).toBe(2_000)
  })
  test('has the pictures of the answer that were kept', () => {
    const text = '![one](/api/files/1/content) and ![two](/api/files/2/content), not ![three](https://x.example/3)'
    expect(settledUse(ask(), [anAnswer('a', text)], tokens, dearer)).toMatchObject({ pictures: 2, cost: 500 })
  })
})

const NOON = Date.parse('2026-03-02T12:10:00.000Z')

eachStorage((_name, storage) => {
  describe('what an answered ask used', () => {
    async function start() {
      const clock = testClock(NOON)
      const portal = await startPortal({ storage: await storage(), clock })
      const { database } = portal.app.services.open
      const upstream_id = await firstUpstream(database)
      const lin = await portal.person()
      return {
        ...portal,
        clock,
        lin,
        upstream_id,
        price: (price: object) =>
          portal.admin.result('PUT', `/system/upstreams/${upstream_id}/prices`, {
            prices: [{ model: 'gpt_4', ...price }],
          }),
        ledger: () =>
          database.selectFrom('usage_ledger').selectAll().where('user_id', '=', lin.id).orderBy('id').execute(),
        sums: () => database.selectFrom('usage_sums').selectAll().where('user_id', '=', lin.id).execute(),
        logged: () =>
          database.selectFrom('ask_logs').select(['cost', 'prompt_tokens']).where('user_id', '=', lin.id).execute(),
      }
    }

    test('is a line of the ledger, and added to the half hour in which it was asked', async () => {
      const { lin, price, ledger, sums, upstream_id, clock } = await start()
      await price({ input: 2, output: 10 })
      await lin.ask('/simulate tokens=40\nhi', { new_title: 'one' })
      clock.pass(60_000)
      await lin.ask('/simulate tokens=10\nhi', { new_title: 'two' })
      const lines = await ledger()
      const input = lines.reduce((sum, line) => sum + line.input_tokens, 0)
      expect(lines).toMatchObject([
        { asked_time: NOON, upstream_id, reason: 'settled', asks: 1, output_tokens: 40, estimated: false },
        { asked_time: NOON + 60_000, output_tokens: 10 },
      ])
      for (const line of lines) {
        expect(line.tokens).toBe(line.input_tokens + line.output_tokens)
        expect(line.cost).toBe(2 * line.input_tokens + 10 * line.output_tokens)
      }
      expect(await sums()).toMatchObject([
        {
          ...{ start_time: NOON - 600_000, source: 'openai_api', upstream_id, model: 'gpt_4', asks: 2 },
          ...{ input_tokens: input, output_tokens: 50, estimated_asks: 0, cost: 2 * input + 500 },
        },
      ])
    })

    test('costs what its model cost when it was asked, whatever that becomes', async () => {
      const { lin, price, ledger, logged, simulator, clock } = await start()
      await lin.ask('/simulate tokens=4\nhi', { new_title: 'no price yet' })
      await price({ input: 0, output: 10 })
      simulator.nextFault({ kind: 'stall', after_tokens: 1 })
      const chat = await lin.chat(question('hi', { new_title: 'long' }))
      await chat.until(frame => frame.type === 'message')
      clock.pass(1)
      await price({ input: 0, output: 1_000 })
      chat.send({ stop: true })
      await chat.closed
      await lin.ask('/simulate tokens=4\nhi', { new_title: 'dear' })
      const [free, cheap, dear] = await ledger()
      expect([free?.cost, cheap?.cost, dear?.cost]).toEqual([0, 10 * (cheap?.output_tokens ?? 0), 4_000])
      expect(cheap).toMatchObject({ estimated: true })
      expect((await logged()).map(({ cost }) => cost)).toEqual([null, cheap?.cost, 4_000])
    })

    test('keeps the currency in which it has a cost', async () => {
      const { lin, price, admin } = await start()
      const change = (currency: string) => admin.call('PUT', '/system/config', { money: { currency } })
      await lin.ask('/simulate tokens=4\nhi', { new_title: 'without a price' })
      expect(await change('EUR')).toMatchObject({ code: 200 })
      await price({ input: 1, output: 1 })
      await lin.ask('/simulate tokens=4\nhi', { new_title: 'with one' })
      expect(await change('CNY')).toMatchObject({ message: 'errors.currencyFixed' })
      expect(await change('EUR')).toMatchObject({ code: 200 })
      expect(await admin.result('GET', '/system/config')).toMatchObject({ money: { currency: 'EUR' } })
    })

    test('is nothing where no answer came', async () => {
      const { lin, ledger, sums, simulator } = await start()
      simulator.nextFault({ kind: 'status', status: 500 })
      await lin.ask('hi', { new_title: 'refused' })
      expect([await ledger(), await sums()]).toEqual([[], []])
    })
  })
})
