import { describe, expect, test } from 'vitest'
import { endingOf, hashOf, isWellFormed, newSecret } from './secret.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const changedAt = (secret: string, at: number): string => {
  const other = DIGITS.charAt((DIGITS.indexOf(secret.charAt(at)) + 1) % DIGITS.length)
  return secret.slice(0, at) + other + secret.slice(at + 1)
}

describe('a secret', () => {
  test('begins with cmn_, and has 32 digits that nobody guesses and 6 that check them', () => {
    expect(newSecret()).toMatch(/^cmn_[0-9A-Za-z]{38}$/)
    expect(new Set(Array.from({ length: 1_000 }, newSecret)).size).toBe(1_000)
  })
  test('has every digit about as often as every other', () => {
    const drawn = Array.from({ length: 2_000 }, () => newSecret().slice(4, 36)).join('')
    const counts = [...DIGITS].map(digit => drawn.split(digit).length - 1)
    // 64,000 digits: 1,032 of each, with a deviation of 32.
    expect(Math.min(...counts)).toBeGreaterThan(1_032 - 200)
    expect(Math.max(...counts)).toBeLessThan(1_032 + 200)
  })
  test('is well formed as it was made', () => {
    for (let at = 0; at < 500; at += 1) expect(isWellFormed(newSecret())).toBe(true)
  })
  test('with any one digit mistyped is told without a look-up', () => {
    const secret = newSecret()
    for (let at = 4; at < secret.length; at += 1) expect(isWellFormed(changedAt(secret, at)), String(at)).toBe(false)
  })
  test('with two digits exchanged is told, too', () => {
    const secret = newSecret()
    for (let at = 4; at < secret.length - 1; at += 1) {
      const [one, other] = [secret.charAt(at), secret.charAt(at + 1)]
      const exchanged = secret.slice(0, at) + other + one + secret.slice(at + 2)
      if (one !== other) expect(isWellFormed(exchanged), String(at)).toBe(false)
    }
  })
  test.each(['', 'cmn_', 'sk-0123456789', `cmn_${'0'.repeat(37)}`, `cmn_${'0'.repeat(39)}`, `cmn_${'é'.repeat(38)}`])(
    'is not %j',
    text => {
      expect(isWellFormed(text)).toBe(false)
    },
  )
  test('is not what has something before or behind it', () => {
    const secret = newSecret()
    for (const text of [` ${secret}`, `${secret}\n`, `Bearer ${secret}`, secret.toUpperCase(), secret.slice(4)])
      expect(isWellFormed(text)).toBe(false)
  })
  test('is stored as its hash, and shown as its last four characters', () => {
    const secret = newSecret()
    expect(hashOf(secret)).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(hashOf(secret)).not.toContain(secret.slice(4, 12))
    expect(endingOf(secret)).toBe(secret.slice(-4))
  })
})
