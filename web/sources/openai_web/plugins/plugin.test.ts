import { describe, expect, test } from 'vitest'
import { pluginWith } from '#testing/plugins.ts'
import { addressOfDomain, fitTogether, initialsOf, nameOf, needsSignIn, webAddress } from './plugin.ts'

describe('a plugin', () => {
  test('is called by its name for people, else its namespace, else its id', () => {
    expect(nameOf(pluginWith({ manifest: { name_for_human: 'Wiki' }, namespace: 'wiki' }))).toBe('Wiki')
    expect(nameOf(pluginWith({ manifest: { name_for_human: ' ' }, namespace: 'wiki' }))).toBe('wiki')
    expect(nameOf(pluginWith())).toBe('plugin-1')
  })
  test('has initials in place of a logo', () => {
    expect(['Wolfram', 'scholar AI', '地图与路线', '-', '😀 x', 'Show Me Diagrams'].map(initialsOf)).toEqual([
      'W',
      'SA',
      '地',
      '',
      'X',
      'SM',
    ])
  })
  test('leads to web pages alone', () => {
    expect(['a.example', 'a', 'a.example/path', 'a.example" x', null].map(addressOfDomain)).toEqual([
      'https://a.example/',
      ...[null, null, null, null],
    ])
    expect(['https://a.example', 'javascript:alert(1)', 'data:,x', '/x', null].map(webAddress)).toEqual([
      'https://a.example/',
      ...[null, null, null, null],
    ])
  })
  test('may want each user to sign in', () => {
    const withAuth = (auth: unknown) => needsSignIn(pluginWith({ manifest: { auth } }))
    expect([{ type: 'oauth' }, { type: 'user_http' }, { type: 'none' }, null, 'oauth'].map(withAuth)).toEqual([
      ...[true, true],
      ...[false, false, false],
    ])
  })
  test('goes with those of one account', () => {
    const at = (...upstream_ids: number[]) => pluginWith({ upstream_ids })
    expect(fitTogether([])).toBe(true)
    expect(fitTogether([at(1), at(1, 2)])).toBe(true)
    expect(fitTogether([at(1, 2), at(2, 3), at(3)])).toBe(false)
  })
})
