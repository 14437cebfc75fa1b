import { describe, expect, test } from 'vitest'
import { forwardedPath, targetOf } from './forwarder.ts'

const BASE = 'https://arkose.example/gate/v2/'

describe('the address at the endpoint', () => {
  test.each([
    ['35536E1E/api.js', 'https://arkose.example/gate/v2/35536E1E/api.js'],
    ['v2/35536E1E/api.js?onload=1&x=%20a', 'https://arkose.example/gate/v2/35536E1E/api.js?onload=1&x=%20a'],
    ['fc/gt2/public_key/35536E1E', 'https://arkose.example/gate/fc/gt2/public_key/35536E1E'],
    ['cdn/fc/assets/game-core_1.2.js', 'https://arkose.example/gate/cdn/fc/assets/game-core_1.2.js'],
    ['https:evil.example', 'https://arkose.example/gate/v2/https:evil.example'],
    ['a?x=https://evil.example/..', 'https://arkose.example/gate/v2/a?x=https://evil.example/..'],
  ])('for %s', (path, target) => {
    expect(targetOf(BASE, path)).toBe(target)
  })

  test.each([
    '',
    '/',
    '/etc',
    'https://evil.example/a',
    '//evil.example',
    '../admin',
    'v2/../../admin',
    'a/./b',
    'a/..',
    '.hidden',
    '..%2fadmin',
    '%2e%2e/admin',
    'a%2fb',
    'a%0d%0ahost:evil',
    'a%00',
    'a\\b',
    'a b',
    'a\r\nb',
    'a?x=%0d%0aset-cookie:a',
    'a?x=%00',
    'a?x=%',
    'a?x= ',
    'a#b',
    'é',
    'a'.repeat(1025),
    `a?${'x'.repeat(4097)}`,
  ])('is none for %j', path => {
    expect(targetOf(BASE, path)).toBe(null)
  })
  test('is as long as it may be', () => {
    expect(targetOf(BASE, `${'a'.repeat(1024)}?${'x'.repeat(4096)}`)).not.toBe(null)
  })
})

describe('an address that the endpoint gives', () => {
  test.each([
    ['https://arkose.example/gate/cdn/fc/a.js?v=1', 'cdn/fc/a.js?v=1'],
    ['https://client-api.arkose.example/cdn/fc/a.js', 'cdn/fc/a.js'],
    ['/gate/cdn/fc/a.js', 'cdn/fc/a.js'],
    ['https://evil.example/else/a.js', null],
    ['https://evil.example/cdn/%2e%2e%2fa.js', null],
    ['javascript:alert(1)', null],
    ['https://', null],
  ])('%s comes through the forwarder as %s', (address, path) => {
    expect(forwardedPath(BASE, address)).toBe(path)
  })
})
