import { describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '#web/admin/adminPages.ts'
import { safeLink } from '#web/messages/markdown/safeUrl.ts'
import { knownPath } from './returnPath.ts'

describe('a path to return to after signing in', () => {
  test.each([
    '/home',
    '/conversation',
    '/conversation?id=0b7a8f0c-7c1e-4a50-9d3e-0a4c3c2b1a00',
    '/conv/0b7a8f0c-7c1e-4a50-9d3e-0a4c3c2b1a00',
    '/admin',
    '/admin/system',
    '/admin/openai_settings',
    '/',
  ])('is kept when it leads to a screen of this page: %s', path => {
    expect(knownPath(path)).toBe(path)
  })
  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https://evil.example/home',
    'javascript:alert(1)',
    'data:text/html,x',
    '%2F%2Fevil.example',
    '%252F%252Fevil.example',
    ' /home',
    '/\t/evil.example',
    '/home\n',
    '/nowhere',
    '/login',
    '/redirect/home',
    '/api/docs',
    '/admin/nothing',
    '/conv/',
    '/conv/a/b',
    '/home/../api/docs',
    'home',
    '',
  ])('is refused otherwise: %j', path => {
    expect(knownPath(path)).toBe(null)
  })
  test.each([undefined, null, 7, ['/home'], { path: '/home' }])('is a text: %j', value => {
    expect(knownPath(value)).toBe(null)
  })
  test('keeps its query and loses its fragment', () => {
    expect(knownPath('/conversation?id=x#//evil.example')).toBe('/conversation?id=x')
  })
  test('is one that a message may link to', () => {
    for (const path of ['/', '/home', '/conversation?id=x', '/conv/x', '/admin', ...ADMIN_PATHS]) {
      expect(knownPath(path)).toBe(path)
      expect(safeLink(`https://portal.example${path}`, 'https://portal.example')).not.toBeNull()
    }
  })
})
