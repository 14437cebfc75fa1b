import { describe, expect, test } from 'vitest'
import { roughTokens } from './context.ts'

describe('the rough count of tokens', () => {
  test('takes a Han character for one, and about three Latin letters too', () => {
    expect(roughTokens('早'.repeat(1000))).toBe(1004)
    expect(roughTokens('x'.repeat(1000))).toBeLessThan(310)
  })
  test('has something for a message without text', () => {
    expect(roughTokens('')).toBeGreaterThan(0)
  })
})
