import { isRedirect } from '@tanstack/react-router'
import { describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '#web/admin/adminPages.ts'
import { aUser } from '#web/foundation/api.testing.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { safeLink } from '#web/messages/markdown/blocks/safeUrl.ts'
import { knownPath, requireSuperuser, requireUser } from './guards.ts'

const location = { pathname: '/conversation', href: '/conversation?id=x' }
const admin = aUser({ is_superuser: true })

function thrownBy(visit: () => unknown): unknown {
  try {
    visit()
  } catch (thrown) {
    return isRedirect(thrown) ? thrown.options : thrown
  }
  return null
}

describe('a page for whoever is signed in', () => {
  test('lets users of both roles pass', () => {
    for (const user of [aUser(), admin])
      expect(requireUser({ location, context: { user, unreachable: null } })).toEqual({ user })
  })
  test('sends others to the login page and back, with the query they had, and says why', () => {
    useToasts.setState({ toasts: [] })
    const sent = thrownBy(() => requireUser({ location, context: { user: null, unreachable: null } }))
    expect(sent).toMatchObject({ to: '/login', search: { redirect: '/conversation?id=x' } })
    expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(['未登录'])
  })
  test('tells of a server that is away instead of asking to sign in', () => {
    const unreachable = new Error('no answer')
    expect(thrownBy(() => requireUser({ location, context: { user: null, unreachable } }))).toBe(unreachable)
  })
})

describe('a page for administrators', () => {
  test('lets superusers pass', () => {
    expect(requireSuperuser({ location, context: { user: admin, unreachable: null } })).toEqual({ user: admin })
  })
  test('is forbidden to users', () => {
    expect(thrownBy(() => requireSuperuser({ location, context: { user: aUser(), unreachable: null } }))).toMatchObject(
      {
        to: '/error/403',
      },
    )
  })
  test('asks whoever is not signed in to do so', () => {
    expect(thrownBy(() => requireSuperuser({ location, context: { user: null, unreachable: null } }))).toMatchObject({
      to: '/login',
    })
  })
})

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
