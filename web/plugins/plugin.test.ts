import { describe, expect, test } from 'vitest'
import type { Plugin } from '#contract/plugins.ts'
import { addressOfDomain, fitTogether, initialsOf, nameOf, needsSignIn, webAddress } from './plugin.ts'

const aPlugin = (fields: Partial<Plugin> = {}): Plugin => ({
  id: 'plugin-1',
  namespace: null,
  manifest: null,
  domain: null,
  status: null,
  user_settings: null,
  ...fields,
})

describe('a plugin', () => {
  test('is called by its name for people, else its namespace, else its id', () => {
    expect(nameOf(aPlugin({ manifest: { name_for_human: 'Wiki' }, namespace: 'wiki' }))).toBe('Wiki')
    expect(nameOf(aPlugin({ manifest: { name_for_human: ' ' }, namespace: 'wiki' }))).toBe('wiki')
    expect(nameOf(aPlugin())).toBe('plugin-1')
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
  test('may want each person to sign in', () => {
    const withAuth = (auth: unknown) => needsSignIn(aPlugin({ manifest: { auth } }))
    expect([{ type: 'oauth' }, { type: 'user_http' }, { type: 'none' }, null, 'oauth'].map(withAuth)).toEqual([
      ...[true, true],
      ...[false, false, false],
    ])
  })
  test('goes with those of one account', () => {
    const at = (...upstream_ids: number[]) => aPlugin({ upstream_ids })
    expect(fitTogether([])).toBe(true)
    expect(fitTogether([at(1), at(1, 2)])).toBe(true)
    expect(fitTogether([at(1, 2), at(2, 3), at(3)])).toBe(false)
  })
})
