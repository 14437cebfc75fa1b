import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigurationMistake } from './configurationMistake.ts'
import { openSecretBox } from './secrets.ts'

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
    expect(() => openSecretBox(folder, { COMMONS_SECRET_KEY: 'short' })).toThrow(ConfigurationMistake)
    const placeholder = 'change-me-to-a-long-random-string'
    expect(() => openSecretBox(folder, { COMMONS_SECRET_KEY: placeholder })).toThrow(
      'COMMONS_SECRET_KEY: a placeholder. Make a key with: openssl rand -base64 32',
    )
    writeFileSync(join(folder, 'key'), placeholder)
    expect(() => openSecretBox(folder, { COMMONS_SECRET_KEY_FILE: join(folder, 'key') })).toThrow(
      'COMMONS_SECRET_KEY_FILE: a placeholder',
    )
    expect(() => openSecretBox(folder, { COMMONS_SECRET_KEY_FILE: join(folder, 'none') })).toThrow(ConfigurationMistake)
    expect(() => openSecretBox(folder, { ...GIVEN, COMMONS_SECRET_KEY_FILE: join(folder, 'none') })).toThrow(
      'only one of them',
    )
    writeFileSync(join(folder, 'empty'), '\n')
    expect(() => openSecretBox(folder, { COMMONS_SECRET_KEY_FILE: join(folder, 'empty') })).toThrow(
      'COMMONS_SECRET_KEY_FILE: shorter',
    )
    writeFileSync(join(folder, 'secret.key'), 'x')
    expect(() => openSecretBox(folder, {})).toThrow(ConfigurationMistake)
  })
})

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commons-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
