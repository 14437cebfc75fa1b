import { describe, expect, test } from 'vitest'
import { NO_PRICE, pastedPrices, sentPrice, typedPrice, wrongIn } from './prices.ts'

const models = [
  { model: 'gpt_4', name: 'gpt-4' },
  { model: 'qwen', name: 'qwen/qwen3' },
]

describe('a price as it is typed', () => {
  test('is what was shown when nothing is typed', () => {
    const price = { input: 2.5, cached_input: 0.000_001, output: 10, picture: null, free: false }
    expect(typedPrice(price)).toEqual({
      input: '2.5',
      cached_input: '0.000001',
      output: '10',
      picture: '',
      free: false,
    })
    expect(sentPrice('gpt_4', typedPrice(price))).toEqual({ model: 'gpt_4', ...price })
  })
  test('may have a comma, and is wrong where it is no amount', () => {
    expect(sentPrice('gpt_4', { ...NO_PRICE, input: ' 0,4 ' })).toMatchObject({ input: 0.4, output: null })
    const wrong = { ...NO_PRICE, input: '-1', cached_input: 'two', output: '0.0000001', picture: '0' }
    expect(wrongIn(wrong)).toEqual(['input', 'cached_input', 'output'])
  })
})

describe('a pasted table', () => {
  const pasted = (text: string) => pastedPrices(text, models)
  test('has models by code or name, and two, three or four amounts', () => {
    expect(pasted('gpt-4\t$2.50\t$10.00\nQwen\t1\t0.1\t3\nother\t1\t2')).toEqual({
      prices: {
        gpt_4: { ...NO_PRICE, input: '2.50', output: '10.00' },
        qwen: { ...NO_PRICE, input: '1', cached_input: '0.1', output: '3' },
      },
      unknown: ['other'],
    })
    expect(pasted('gpt_4,1,0.5,2,0.04').prices['gpt_4']).toEqual({
      ...{ input: '1', cached_input: '0.5', output: '2', picture: '0.04', free: false },
    })
  })
  test('has its columns in the order that its first line says', () => {
    expect(pasted('Model;Output;Input;Context\nqwen/qwen3;3,20;1,10;128000').prices).toEqual({
      qwen: { ...NO_PRICE, input: '1,10', output: '3,20' },
    })
  })
  test('may be one of Markdown', () => {
    expect(
      pasted('| model | input | cached | output |\n| --- | ---: | --- | --- |\n| gpt-4 | 2 / 1M | – | 8 |').prices,
    ).toEqual({
      gpt_4: { ...NO_PRICE, input: '2', output: '8' },
    })
  })
  test('is nothing where there is none', () => {
    expect(pasted('')).toEqual({ prices: {}, unknown: [] })
    expect(pasted('a word')).toEqual({ prices: {}, unknown: [] })
  })
})
