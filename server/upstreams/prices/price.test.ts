import { describe, expect, test } from 'vitest'
import { affordableOutput, costOf, type FullPrice, isFull, type Price } from './price.ts'

const EUROS = 1_000_000
const aPrice = (fields: Partial<Price> = {}): FullPrice =>
  ({ input: 2 * EUROS, cached_input: null, output: 8 * EUROS, picture: null, free: false, ...fields }) as FullPrice // a test says what it is about
const used = (fields: Partial<Parameters<typeof costOf>[1]>) => ({
  ...{ input_tokens: 0, cached_tokens: 0, output_tokens: 0, pictures: 0 },
  ...fields,
})

describe('the cost of an ask', () => {
  test('is that of its tokens, in millionths', () => {
    expect(costOf(aPrice(), used({ input_tokens: 1_000, output_tokens: 500 }))).toBe(2_000 + 4_000)
  })
  test('is rounded up once, not for each part', () => {
    const price = aPrice({ input: 400_000, output: 400_000 })
    expect(costOf(price, used({ input_tokens: 1, output_tokens: 1 }))).toBe(1)
    expect(costOf(price, used({ input_tokens: 2, output_tokens: 1 }))).toBe(2)
  })
  test('is lower for what the upstream had kept, where that has a price of its own', () => {
    const input = used({ input_tokens: 1_000, cached_tokens: 600 })
    expect(costOf(aPrice(), input)).toBe(2_000)
    expect(costOf(aPrice({ cached_input: EUROS }), input)).toBe(800 + 600)
    expect(costOf(aPrice({ cached_input: 0 }), { ...input, cached_tokens: 5_000 })).toBe(0)
  })
  test('has that of the pictures of the answer', () => {
    expect(costOf(aPrice({ picture: 40_000 }), used({ pictures: 2 }))).toBe(80_000)
  })
  test('is exact where numbers no longer are', () => {
    const price = aPrice({ input: 999_999_999_999, output: 1_000_000 * EUROS })
    expect(costOf(price, used({ input_tokens: 999_999_999 }))).toBe(999_999_998_999_001)
  })
  test('is nothing for a price of 0, and for what is free', () => {
    expect(costOf(aPrice({ input: 0, output: 0 }), used({ input_tokens: 9, output_tokens: 9 }))).toBe(0)
    expect(costOf(aPrice({ free: true }), used({ input_tokens: 9, output_tokens: 9, pictures: 1 }))).toBe(0)
  })
})

describe('a price', () => {
  test('is whole with that of both directions, or free', () => {
    expect(isFull({ ...aPrice(), output: null })).toBe(false)
    expect(isFull({ ...aPrice(), input: 0, output: 0 })).toBe(true)
    expect(isFull({ ...aPrice(), input: null, output: null, free: true })).toBe(true)
    expect(isFull(null)).toBe(false)
  })
})

describe('the longest answer that an amount pays for', () => {
  test('costs at most that, and one token more would cost more', () => {
    for (const cost of [2_000, 2_001, 2_007, 2_008, 6_000, 123_456]) {
      for (const output of [8 * EUROS, 333_333, 1, 7_654_321]) {
        const price = aPrice({ output })
        const output_tokens = affordableOutput(price, 1_000, cost)
        expect(costOf(price, used({ input_tokens: 1_000, output_tokens }))).toBeLessThanOrEqual(cost)
        expect(costOf(price, used({ input_tokens: 1_000, output_tokens: output_tokens + 1 }))).toBeGreaterThan(cost)
      }
    }
  })
  test('is none where the question alone costs more, and any where an answer costs nothing', () => {
    expect(affordableOutput(aPrice(), 1_000, 1_999)).toBe(-1)
    expect(affordableOutput(aPrice(), 1_000, 2_000)).toBe(0)
    expect(affordableOutput(aPrice({ output: 0 }), 1_000, 2_000)).toBe(Infinity)
  })
  test('is any where the amount has no end: nothing limits money, or credits are unlimited', () => {
    expect(affordableOutput(aPrice(), 1_000, Infinity)).toBe(Infinity)
    expect(affordableOutput(aPrice({ free: true }), 1_000, Infinity)).toBe(Infinity)
  })
})
