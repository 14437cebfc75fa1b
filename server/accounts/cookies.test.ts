import { describe, expect, test } from 'vitest'
import { clearedCookies, sessionCookies, tokenOf } from './cookies.ts'

const TOKEN = 'a'.repeat(43)
const OTHER = 'b'.repeat(43)

describe('the session cookie', () => {
  test('over https is kept from scripts, from other hosts and from plain connections', () => {
    expect(sessionCookies(TOKEN, 60, true)[0]).toBe(`__Host-commons_session=${TOKEN}; Path=/; Max-Age=60; SameSite=Lax; Secure; HttpOnly`)
  })
  test('over http has a name of its own', () => {
    expect(sessionCookies(TOKEN, 60, false)[0]).toBe(`commons_session=${TOKEN}; Path=/; Max-Age=60; SameSite=Lax; HttpOnly`)
  })
  test('comes with a marker that scripts may read and that says nothing', () => {
    expect(sessionCookies(TOKEN, 60, true)[1]).toBe('cws_user_auth=1; Path=/; Max-Age=60; SameSite=Lax; Secure')
  })
  test('is cleared together with the marker', () => {
    expect(clearedCookies(false).map(cookie => cookie.slice(0, cookie.indexOf(';')))).toEqual(['commons_session=', 'cws_user_auth='])
    expect(clearedCookies(true).every(cookie => cookie.includes('Max-Age=0'))).toBe(true)
    expect(clearedCookies(true)[0]).toContain('__Host-commons_session=; ')
  })
})

describe('a token that was sent', () => {
  test('counts under either name while the portal does not say where it is', () => {
    expect(tokenOf({ commons_session: TOKEN }, null)).toBe(TOKEN)
    expect(tokenOf({ '__Host-commons_session': TOKEN, 'commons_session': OTHER }, null)).toBe(TOKEN)
  })
  test('counts only under the protected name where the portal is on https', () => {
    expect(tokenOf({ commons_session: TOKEN }, 'https://chat.example.org')).toBe(null)
    expect(tokenOf({ '__Host-commons_session': TOKEN }, 'https://chat.example.org')).toBe(TOKEN)
  })
  test('is nothing when it cannot be one of ours', () => {
    for (const sent of ['', 'x', `${TOKEN}a`, `${TOKEN.slice(1)}\0`, `${TOKEN.slice(1)} `]) {
      expect(tokenOf({ commons_session: sent }, null)).toBe(null)
    }
  })
})
