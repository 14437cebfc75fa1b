import { isRedirect } from '@tanstack/react-router'
import { describe, expect, test } from 'vitest'
import { aUser } from '#web/foundation/api.testing.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { requireSuperuser, requireUser } from './guards.ts'

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
      expect(requireUser({ location, context: { user, away: null } })).toEqual({ user })
  })
  test('sends others to the login page and back, with the query they had, and says why', () => {
    useToasts.setState({ toasts: [] })
    const sent = thrownBy(() => requireUser({ location, context: { user: null, away: null } }))
    expect(sent).toMatchObject({ to: '/login', search: { redirect: '/conversation?id=x' } })
    expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(['未登录'])
  })
  test('tells of a server that is away instead of asking to sign in', () => {
    const away = new Error('no answer')
    expect(thrownBy(() => requireUser({ location, context: { user: null, away } }))).toBe(away)
  })
})

describe('a page for administrators', () => {
  test('lets superusers pass', () => {
    expect(requireSuperuser({ location, context: { user: admin, away: null } })).toEqual({ user: admin })
  })
  test('is forbidden to users', () => {
    expect(thrownBy(() => requireSuperuser({ location, context: { user: aUser(), away: null } }))).toMatchObject({
      to: '/error/403',
    })
  })
  test('asks whoever is not signed in to do so', () => {
    expect(thrownBy(() => requireSuperuser({ location, context: { user: null, away: null } }))).toMatchObject({
      to: '/login',
    })
  })
})
