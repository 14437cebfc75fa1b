import { describe, expect, test } from 'vitest'
import { listIn } from './modelList.ts'

const priceOf = async (pricing: unknown) => {
  const list = await listIn(JSON.stringify({ data: [{ id: 'some/model', pricing }] }))
  return list?.models[0]?.price ?? null
}

describe('the price of a model as its endpoint lists it', () => {
  test('is that of OpenRouter, a token in dollars, in millionths a million tokens', async () => {
    const pricing = { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000125', image: '0.003613' }
    expect(await priceOf(pricing)).toEqual({ input: 2_500_000, output: 10_000_000, cached_input: 1_250_000 })
    expect(await priceOf({ prompt: '0', completion: '0' })).toEqual({ input: 0, output: 0, cached_input: null })
    expect(await priceOf({ prompt: '1.5e-7', completion: '6e-7' })).toMatchObject({ input: 150_000, output: 600_000 })
  })
  test.each([
    ['nothing', undefined],
    ['a price that depends', { prompt: '-1', completion: '-1' }],
    ['half of one', { prompt: '0.000001' }],
    ['words', { prompt: 'free', completion: 'free' }],
    ['more than anything costs', { prompt: '99999', completion: '1' }],
    ['an odd form', [1, 2]],
    ['a long text', { prompt: '0.'.padEnd(1_000, '1'), completion: '0' }],
  ])('is not known where the list says %s', async (_name, pricing) => {
    expect(await priceOf(pricing)).toBe(null)
  })
})
