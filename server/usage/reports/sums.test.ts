import { describe, expect, test } from 'vitest'
import { randomFrom } from '#testing/random.ts'
import type { UsedRow } from './store.ts'
import { sumOf, sumsBy, usedOf } from './sums.ts'

const aRow = (fields: Partial<UsedRow> = {}): UsedRow => ({
  ...{ user_id: 1, source: 'openai_api', upstream_id: 1, model: 'gpt_4', asks: 1, uncharged_asks: 0, input_tokens: 20 },
  ...{ cached_tokens: 5, output_tokens: 10, estimated_asks: 0, cost: 7, ask_time_ms: 1_500 },
  ...fields,
})

describe('the sum of what was used', () => {
  test('of nothing is nothing', () => {
    expect(usedOf(sumOf([]))).toEqual({
      ...{ asks: 0, input_tokens: 0, cached_tokens: 0, output_tokens: 0, tokens: 0, money: 0, seconds: 0 },
      estimated: false,
    })
  })
  test('has tokens of both directions once, money in the currency and times in seconds', () => {
    expect(usedOf(sumOf([aRow(), aRow({ cost: 2_999_993, estimated_asks: 1 })]))).toEqual({
      ...{ asks: 2, input_tokens: 40, cached_tokens: 10, output_tokens: 20, tokens: 60, money: 3, seconds: 3 },
      estimated: true,
    })
  })
  test('by a key is in the order of the first of each, and leaves the rows as they are', () => {
    const rows = [aRow({ model: 'o1' }), aRow(), aRow({ model: 'o1', cost: 1 })]
    const before = structuredClone(rows)
    expect(sumsBy(rows, ({ model }) => model).map(({ row, sum }) => [row.model, sum.asks, sum.cost])).toEqual([
      ['o1', 2, 8],
      ['gpt_4', 1, 7],
    ])
    expect(rows).toEqual(before)
  })
  test('counts asks as far as they are paid', () => {
    expect(usedOf(sumOf([aRow(), aRow({ uncharged_asks: 500 })])).asks).toBe(1.5)
  })
  test.each([1, 2, 3])('is the same whichever way the rows are put together (%d)', seed => {
    const random = randomFrom(seed)
    const rows = Array.from({ length: 200 }, () =>
      aRow({
        ...{ user_id: random.below(5), model: random.of(['gpt_4', 'o1']), cost: random.below(1_000_000) },
        ...{ input_tokens: random.below(9_000), ask_time_ms: random.below(60_000), estimated_asks: random.below(2) },
      }),
    )
    const all = sumOf(rows)
    for (const keyOf of [(row: UsedRow) => row.model, (row: UsedRow) => String(row.user_id), () => ''])
      expect(sumOf(sumsBy(rows, keyOf).map(({ sum }) => sum))).toEqual(all)
    expect(sumOf(rows.toReversed())).toEqual(all)
  })
})
