import { describe, expect, test } from 'vitest'
import type { ReservedUse } from '#server/asks/ask.ts'
import type { Price } from '#server/upstreams/prices/price.ts'
import { outputLimit } from './reservation.ts'

const aPrice = (input: number, output: number): Price => ({
  ...{ input: input * 1_000_000, output: output * 1_000_000, cached_input: null, picture: null, free: false },
})
const aUse = (fields: Partial<ReservedUse> = {}): ReservedUse => ({
  ...{ tokens: 600, input_tokens: 100, cost: 2_200, credit_cost: 0, price: aPrice(2, 4), upstream_id: 7 },
  ...{ isBounded: true, isPaid: true, windows: [], ...fields },
})
const here = { upstream_id: 7, price: aPrice(2, 4) }

describe('how long an answer may be', () => {
  test('is not said to people without limits in tokens or money', () => {
    expect(outputLimit(undefined, 100, here)).toBe(null)
    expect(outputLimit(aUse({ isBounded: false, isPaid: false }), 100, here)).toBe(null)
  })
  test('is what was reserved beside what is sent', () => {
    expect(outputLimit(aUse(), 100, here)).toBe(500)
    // A thread that is sent without its beginning leaves more.
    expect(outputLimit(aUse({ isPaid: false }), 40, here)).toBe(560)
    expect(outputLimit(aUse(), 40, here)).toBe(530)
  })
  test('follows the price of the account that the ask has moved to', () => {
    expect(outputLimit(aUse(), 100, { upstream_id: 8, price: aPrice(2, 40) })).toBe(50)
    expect(outputLimit(aUse(), 100, { upstream_id: 8, price: aPrice(0, 0) })).toBe(500)
    expect(outputLimit(aUse(), 100, { upstream_id: 8, price: { ...aPrice(9, 9), free: true } })).toBe(500)
  })
  test('is no answer at all where the account has no price, or what is sent costs more', () => {
    const moved = (price: Price | null) => () => outputLimit(aUse(), 100, { upstream_id: 8, price })
    expect(moved(null)).toThrow(expect.objectContaining({ key: 'modelHasNoPrice' }))
    expect(moved(aPrice(100, 1))).toThrow(expect.objectContaining({ key: 'budgetReached' }))
    expect(() => outputLimit(aUse({ isPaid: false }), 600, here)).toThrow(
      expect.objectContaining({ key: 'tokensReached' }),
    )
  })
})
