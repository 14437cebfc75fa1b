import { describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { eachDatabase } from '#testing/database.ts'
import { randomFrom } from '#testing/random.ts'
import { HALF_HOUR, hasUsedSince, usageLedgerStore, type UsageLine, windowStore } from './usageLedger.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const NOVEMBER = Date.parse('2026-11-01T00:00:00Z')

const aLine = (fields: Partial<UsageLine> = {}): UsageLine => ({
  ...{ time: NOON + 5, asked_time: NOON, user_id: 7, source: 'openai_api', upstream_id: 1, model: 'gpt_4' },
  ...{ ask_id: null, reason: 'settled', asks: 1, tokens: 30, cost: 100, credit_cost: 0 },
  ...{ input_tokens: 20, cached_tokens: 5, output_tokens: 10, estimated: false },
  ...fields,
})

const rowsOf = ({ database }: OpenDatabase, table: 'usage_sums' | 'usage_months') =>
  database.selectFrom(table).selectAll().orderBy('user_id').orderBy('start_time').orderBy('model').execute()
const AMOUNTS = ['asks', 'input_tokens', 'cached_tokens', 'output_tokens', 'cost', 'credit_cost'] as const
const total = (rows: readonly Record<(typeof AMOUNTS)[number], number>[]) =>
  AMOUNTS.map(name => rows.reduce((sum, row) => sum + row[name], 0))

eachDatabase((_name, openDatabase) => {
  describe('what an ask used', () => {
    test('is a line, and is added to its half hour and its month', async () => {
      const open = await openDatabase()
      const store = usageLedgerStore(open.database)
      await store.settle(aLine(), 1_500)
      await store.settle(aLine({ asked_time: NOON + HALF_HOUR - 1, estimated: true, credit_cost: 40 }), 500)
      expect(await store.listOf(7)).toMatchObject([
        { asked_time: NOON, estimated: false },
        { asked_time: NOON + HALF_HOUR - 1, estimated: true, credit_cost: 40 },
      ])
      const both = {
        ...{ user_id: 7, source: 'openai_api', upstream_id: 1, model: 'gpt_4', asks: 2, input_tokens: 40 },
        ...{ cached_tokens: 10, output_tokens: 20, estimated_asks: 1, cost: 200, credit_cost: 40, ask_time_ms: 2_000 },
        ...{ uncharged_asks: 0, uncharged_tokens: 0, uncharged_cost: 0 },
      }
      expect(await rowsOf(open, 'usage_sums')).toEqual([{ ...both, start_time: NOON }])
      expect(await rowsOf(open, 'usage_months')).toEqual([{ ...both, start_time: NOVEMBER }])
    })

    test('is of the moment at which it was asked, not of its end', async () => {
      const open = await openDatabase()
      const asked_time = Date.parse('2026-10-31T23:59:59.999Z')
      await usageLedgerStore(open.database).settle(aLine({ asked_time, time: NOON }), 0)
      expect(await rowsOf(open, 'usage_months')).toMatchObject([{ start_time: Date.parse('2026-10-01T00:00:00Z') }])
      expect(await rowsOf(open, 'usage_sums')).toMatchObject([{ start_time: Date.parse('2026-10-31T23:30:00Z') }])
    })

    test.each([
      ['person', { user_id: 8 }],
      ['source', { source: 'openai_web' }],
      ['account', { upstream_id: 2 }],
      ['model', { model: 'gpt_3_5' }],
      ['half hour', { asked_time: NOON + HALF_HOUR }],
    ] satisfies [string, Partial<UsageLine>][])('is added up apart for each %s', async (_of, other) => {
      const open = await openDatabase()
      const store = usageLedgerStore(open.database)
      await Promise.all([store.settle(aLine(), 0), store.settle(aLine(other), 0)])
      expect((await rowsOf(open, 'usage_sums')).map(({ asks }) => asks)).toEqual([1, 1])
    })

    test('is all counted when many end at once', async () => {
      const open = await openDatabase()
      const store = usageLedgerStore(open.database)
      await Promise.all(Array.from({ length: 20 }, (_, at) => store.settle(aLine({ cost: at }), 10)))
      expect(await rowsOf(open, 'usage_sums')).toMatchObject([{ asks: 20, cost: 190, ask_time_ms: 200 }])
    })

    test.each([1, 2, 3, 4])('is in half hours and in months the sum of the ledger, whatever it is (%d)', async seed => {
      const open = await openDatabase()
      const random = randomFrom(seed)
      const store = usageLedgerStore(open.database)
      for (let ask = 0; ask < 60; ask++) {
        const [input_tokens, output_tokens, cost] = [random.below(9_000), random.below(900), random.below(90_000)]
        const line = aLine({
          ...{ user_id: random.of([7, 8]), asked_time: NOON - random.below(90 * 86_400_000) },
          ...{ model: random.of(['gpt_4', 'o1']), source: random.of(['openai_api', 'openai_web']) },
          ...{ input_tokens, output_tokens, tokens: input_tokens + output_tokens, cost },
          ...{ cached_tokens: random.below(input_tokens + 1), credit_cost: random.below(cost + 1) },
        })
        await store.settle(line, random.below(9_000))
        if (random.percent(10)) await store.note(aLine({ reason: 'granted', asks: 50, cost: 5_000 }))
        if (random.percent(3)) await store.forget(8)
      }
      const lines = (await Promise.all([0, 7, 8].map(store.listOf))).flat().filter(line => line.reason === 'settled')
      expect(lines).toHaveLength(60)
      expect(total(await rowsOf(open, 'usage_sums'))).toEqual(total(lines))
      expect(total(await rowsOf(open, 'usage_months'))).toEqual(total(lines))
    })
  })

  describe('a line of the ledger that is no use', () => {
    test('is in no sum, fixes no currency without a cost, and opens nothing', async () => {
      const open = await openDatabase()
      const store = usageLedgerStore(open.database)
      await store.note(aLine({ reason: 'granted', asks: 10, cost: 0 }))
      expect([await rowsOf(open, 'usage_sums'), await rowsOf(open, 'usage_months')]).toEqual([[], []])
      expect(await store.hasCost()).toBe(false)
      expect(await hasUsedSince(open.database, { user_id: 7, source: 'openai_api', since: 0, key_id: null })).toBe(
        false,
      )
    })
  })

  describe('the currency', () => {
    test('is fixed by the first line that cost anything', async () => {
      const store = usageLedgerStore((await openDatabase()).database)
      await store.settle(aLine({ cost: 0 }), 0)
      expect(await store.hasCost()).toBe(false)
      await store.settle(aLine({ cost: 1 }), 0)
      expect(await store.hasCost()).toBe(true)
    })
  })

  describe('what somebody used who is erased', () => {
    test('is kept as what nobody used, together with that of others who are gone', async () => {
      const open = await openDatabase()
      const store = usageLedgerStore(open.database)
      for (const user_id of [7, 8, 9]) await store.settle(aLine({ user_id, ask_id: `ask of ${user_id}` }), 100)
      await windowStore(open.database).open({ user_id: 7, limit_key: 'x', opened_at: NOON })
      expect([await store.forget(7), await store.forget(8), await store.forget(8)]).toEqual([1, 1, 0])
      for (const table of ['usage_sums', 'usage_months'] as const)
        expect((await rowsOf(open, table)).map(({ user_id, asks, cost }) => [user_id, asks, cost])).toEqual([
          [0, 2, 200],
          [9, 1, 100],
        ])
      expect(await store.listOf(0)).toMatchObject([{ ask_id: null }, { ask_id: null }])
      expect(await store.listOf(9)).toMatchObject([{ ask_id: 'ask of 9' }])
      expect(await windowStore(open.database).of(7)).toEqual([])
    })
  })

  describe('a window that an ask opened', () => {
    test('is opened anew, and closed by the ask that opened it alone', async () => {
      const windows = windowStore((await openDatabase()).database)
      const opened = { user_id: 7, limit_key: 'a day', opened_at: NOON }
      await windows.open(opened)
      await windows.open({ ...opened, limit_key: 'a week' })
      await windows.open({ ...opened, opened_at: NOON + 1 })
      await windows.close(opened)
      const open = async () => (await windows.of(7)).map(each => each.limit_key).toSorted()
      expect(await open()).toEqual(['a day', 'a week'])
      await windows.close({ ...opened, opened_at: NOON + 1 })
      expect(await open()).toEqual(['a week'])
      expect(await windows.of(8)).toEqual([])
    })

    test('stays where something was used in it, of that source', async () => {
      const { database } = await openDatabase()
      await usageLedgerStore(database).settle(aLine(), 0)
      const used = (source: 'openai_api' | 'openai_web', since: number) =>
        hasUsedSince(database, { user_id: 7, source, since, key_id: null })
      expect([await used('openai_api', NOON), await used('openai_api', NOON + 1)]).toEqual([true, false])
      expect(await used('openai_web', 0)).toBe(false)
    })
  })
})
