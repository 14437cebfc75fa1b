import { describe, expect, test } from 'vitest'
import { aToken } from './token.testing.ts'
import { expiryOf, expiryState } from './secret.ts'

const raw = (payload: string): string => `e30.${Buffer.from(payload).toString('base64url')}.c2ln`

describe('the expiry of a token', () => {
  test('is the one that it says', () => {
    expect(expiryOf(aToken(Date.UTC(2024, 0, 2)))).toBe(Date.UTC(2024, 0, 2))
    expect(expiryOf(` ${raw('{"exp":1700000000.9,"name":"名字"}')}\n`)).toBe(1_700_000_000_000)
    expect(expiryOf(raw('{"exp":253402300799}'))).toBe(Date.UTC(9999, 11, 31, 23, 59, 59))
  })
  test.each([
    [null],
    [''],
    ['sk-abc'],
    ['a.b'],
    ['a.b.c.d'],
    ['..'],
    ['e30.!!.x'],
    [raw('')],
    [raw('{')],
    [raw('null')],
    [raw('[1]')],
    [raw('7')],
    [raw('{}')],
    [raw('{"exp":"1700000000"}')],
    [raw('{"exp":0}')],
    [raw('{"exp":-1}')],
    [raw('{"exp":253402300800}')],
    [raw('{"exp":1e400}')],
    [raw('{"__proto__":{"exp":1}}')],
    [raw(`{"exp":1700000000,"x":"${'x'.repeat(16_384)}"}`)],
  ])('is not known of %j', token => {
    expect(expiryOf(token)).toBe(null)
  })
  test('is near two days before, and over at the moment itself', () => {
    const day = 86_400_000
    expect([2 * day + 1, 2 * day, 1, 0, -day].map(left => expiryState(1e12 + left, 1e12))).toEqual([
      'later',
      'soon',
      'soon',
      'expired',
      'expired',
    ])
  })
})
