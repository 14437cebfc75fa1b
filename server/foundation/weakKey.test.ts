import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { weaknessOf } from './weakKey.ts'

describe('a key that is given', () => {
  test.each(['changeme', 'secret', 'your-secret-key', 'xxxxxxxx', '0123456789'])('is refused as too short: %s', key => {
    expect(weaknessOf(key)).toBe('shorter than 32 characters')
  })
  test.each([
    'a'.repeat(64),
    'xX'.repeat(20),
    '0'.repeat(32),
    '-'.repeat(40),
    '0123456789'.repeat(4),
    '1234567890123456789012345678901234567',
    'changeme'.repeat(5),
    'deadbeef'.repeat(8),
    '0123456789abcdef'.repeat(2),
    'secret'.repeat(6),
    'abababababababababababababababababababab',
    'k8Zp2Qw9xL3v'.repeat(3),
  ])('is refused as the same over and over: %s', key => {
    expect(weaknessOf(key)).toBe('the same characters over and over')
  })
  test.each([
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'zyxwvutsrqponmlkjihgfedcba987654',
    'qwertyuiopasdfghjklzxcvbnm1234567890',
    'aabbccddeeffgghhiijjkkllmmnnoopp',
    '11112222333344445555666677778888',
    'a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6',
    '0102030405060708090a0b0c0d0e0f10',
    'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=',
    'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  ])('is refused as a row: %s', key => {
    expect(weaknessOf(key)).toBe('characters in a row of the alphabet or the keyboard')
  })
  test.each([
    'change-me-to-a-long-random-string',
    'your-secret-key-at-least-32-characters-long',
    'REPLACE_THIS_WITH_A_RANDOM_STRING_OF_32_CHARS',
    'my-super-secret-key-do-not-share-123',
    'supersecretkey1234567890supersecretkey2',
    '<put your secret key here, 32 characters>',
    'please-change-me-in-production-xxxxxxxx',
    '$(openssl rand -hex 32)  # your secret',
    'insert_a_very_long_secret_string_here!!',
    'ThisIsAPlaceholderForYourSecretKey',
    'commons-portal-default-secret-key-000',
    'xxxxxxxx-your-key-here-xxxxxxxxxxx',
    'TODO: generate a secret key for this portal',
  ])('is refused as a placeholder: %s', key => {
    expect(weaknessOf(key)).toBe('a placeholder')
  })
  test.each([
    'a key that somebody made up by hand',
    'the secret garden of my grandmother 1987',
    '热水器换热泵多久能回本谢谢你告诉我啊今天天气真好我们去公园走走吧',
    'r3Vb8q1TzLw0XnKc5yHd7uJm2pSg9fAe',
  ])('is taken: %s', key => {
    expect(weaknessOf(key)).toBe(null)
  })
  test('is taken whenever it is random', () => {
    for (let round = 0; round < 2000; round++) {
      const keys = [
        randomBytes(32).toString('base64'),
        randomBytes(32).toString('hex'),
        randomBytes(16).toString('hex'),
      ]
      expect(keys.map(weaknessOf), keys.join(' ')).toEqual([null, null, null])
    }
  })
})
