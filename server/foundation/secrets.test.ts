import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { randomBytes } from 'node:crypto'
import { ConfigurationError } from './configurationError.ts'
import { openSecretBox, weaknessOf } from './secrets.ts'

const GIVEN = { COMMONS_SECRET_KEY: 'a key that somebody made up by hand' }

describe('a sealed secret', () => {
  test('opens again, also after a restart', () => {
    const folder = aFolder()
    const sealed = openSecretBox(folder, {}).seal('sk-123 你好', 'users/1')
    expect(openSecretBox(folder, {}).open(sealed, 'users/1')).toBe('sk-123 你好')
  })
  test('looks different each time and shows nothing', () => {
    const box = openSecretBox(aFolder(), {})
    const [one, two] = [box.seal('sk-123', 'x'), box.seal('sk-123', 'x')]
    expect(one).not.toBe(two)
    expect(one).not.toContain('sk-123')
  })
  test('opens for nothing else than it was sealed for', () => {
    const box = openSecretBox(aFolder(), {})
    expect(() => box.open(box.seal('sk-123', 'users/1'), 'users/2')).toThrow()
  })
  test('does not open when a character of it is changed', () => {
    const box = openSecretBox(aFolder(), {})
    const sealed = box.seal('sk-123', 'x')
    for (const at of [0, 4, 14, sealed.length - 2]) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
      expect(() => box.open(changed, 'x')).toThrow()
    }
    expect(() => box.open('', 'x')).toThrow()
  })
  test('does not open with another key', () => {
    const sealed = openSecretBox(aFolder(), {}).seal('sk-123', 'x')
    expect(() => openSecretBox(aFolder(), {}).open(sealed, 'x')).toThrow()
  })
})

describe('the key', () => {
  test('is a file that only its owner reads', () => {
    const folder = aFolder()
    openSecretBox(folder, {})
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
  })
  test('may come from the environment, and then there is no file', () => {
    const [one, two] = [aFolder(), aFolder()]
    const sealed = openSecretBox(one, GIVEN).seal('sk-123', 'x')
    expect(openSecretBox(two, GIVEN).open(sealed, 'x')).toBe('sk-123')
    expect(() => readFileSync(join(one, 'secret.key'))).toThrow()
  })
  test('may come from a file that the environment names', () => {
    const folder = aFolder()
    const file = join(folder, 'key')
    writeFileSync(file, `${GIVEN.COMMONS_SECRET_KEY}\n`)
    const sealed = openSecretBox(folder, { COMMONS_SECRET_KEY_FILE: file }).seal('sk-123', 'x')
    expect(openSecretBox(folder, GIVEN).open(sealed, 'x')).toBe('sk-123')
  })
  test('is refused when it is short, a placeholder, cannot be read or is broken', () => {
    const folder = aFolder()
    expect(() => openSecretBox(folder, { COMMONS_SECRET_KEY: 'short' })).toThrow(ConfigurationError)
    const placeholder = 'change-me-to-a-long-random-string'
    expect(() => openSecretBox(folder, { COMMONS_SECRET_KEY: placeholder })).toThrow(
      'COMMONS_SECRET_KEY: a placeholder. Make a key with: openssl rand -base64 32',
    )
    writeFileSync(join(folder, 'key'), placeholder)
    expect(() => openSecretBox(folder, { COMMONS_SECRET_KEY_FILE: join(folder, 'key') })).toThrow(
      'COMMONS_SECRET_KEY_FILE: a placeholder',
    )
    expect(() => openSecretBox(folder, { COMMONS_SECRET_KEY_FILE: join(folder, 'none') })).toThrow(ConfigurationError)
    expect(() => openSecretBox(folder, { ...GIVEN, COMMONS_SECRET_KEY_FILE: join(folder, 'none') })).toThrow(
      'only one of them',
    )
    writeFileSync(join(folder, 'empty'), '\n')
    expect(() => openSecretBox(folder, { COMMONS_SECRET_KEY_FILE: join(folder, 'empty') })).toThrow(
      'COMMONS_SECRET_KEY_FILE: shorter',
    )
    writeFileSync(join(folder, 'secret.key'), 'x')
    expect(() => openSecretBox(folder, {})).toThrow(ConfigurationError)
  })
})

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commons-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

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
