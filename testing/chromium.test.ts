import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CHROMIUM_ARGUMENTS, findChromium, findTestChromium } from './chromium.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commons-chromium-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function put(path: string): string {
  const whole = join(folder, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, '')
  chmodSync(whole, 0o755)
  return whole
}

describe('the Chromium of the tests', () => {
  test('is the one named in the environment', () => {
    const path = put('mine/chrome')
    expect(findChromium({ COMMONS_TEST_CHROMIUM: path })).toBe(path)
  })
  test('is none when the named one is not there', () => {
    expect(findChromium({ COMMONS_TEST_CHROMIUM: join(folder, 'nowhere') })).toBe(undefined)
  })
  test('is a headless one for tests where there is one, and another one for people', () => {
    const [shell, whole] = [put('chromium-headless-shell'), put('chromium')]
    const found = [findTestChromium({ PATH: folder }), findChromium({ PATH: folder })]
    // Those of the machine come before those of PATH.
    expect(found.map(path => path?.split('/').at(-1))).toEqual([shell, whole].map(path => path.split('/').at(-1)))
  })
  test('starts without asking anything of the network', () => {
    expect(CHROMIUM_ARGUMENTS).toContain('--disable-background-networking')
    for (const asks of ['AimEnabled', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PreconnectToSearch']) {
      expect(CHROMIUM_ARGUMENTS.find(given => given.startsWith('--disable-features='))).toContain(asks)
    }
  })
})
