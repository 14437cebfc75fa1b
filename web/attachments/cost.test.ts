import { describe, expect, test } from 'vitest'
import { costText } from './cost.ts'

const price = { input: 1.2, output: 4, currency: 'CNY' }

describe('what an attachment costs to send', () => {
  test('is said in the currency of the portal, rounded', () => {
    expect(costText(18_000, price, 'zh-CN')).toBe('¥0.02')
    expect(costText(1_320_000, { ...price, currency: 'USD' }, 'en-US')).toBe('$1.58')
  })
  test('is said to be little where it is', () => {
    expect(costText(20, price, 'zh-CN')).toBe('<¥0.01')
  })
  test('is nothing to tell of where nobody knows it, or nothing is paid', () => {
    expect(costText(18_000, undefined, 'zh-CN')).toBe(null)
    expect(costText(null, price, 'zh-CN')).toBe(null)
    expect(costText(18_000, { ...price, input: 0 }, 'zh-CN')).toBe(null)
  })
})
