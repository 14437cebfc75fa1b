import { describe, expect, test } from 'vitest'
import { clearedCookies, sessionCookies } from './cookies.ts'

const TOKEN = 'a'.repeat(43)
const HERE = { at: 'chat.example.org:8000', secure: false }
const PROTECTED = { at: 'https://chat.example.org:8443', secure: true }
const namesOf = (set: string[]) => set.map(cookie => cookie.slice(0, cookie.indexOf('=')))

describe('the session cookie', () => {
  test('over https is kept from scripts, from other hosts and from plain connections', () => {
    expect(sessionCookies(TOKEN, 60, PROTECTED)[0]).toBe(
      `__Host-commons_session_8443=${TOKEN}; Path=/; Max-Age=60; SameSite=Lax; Secure; HttpOnly`,
    )
  })
  test('over http has a name of its own', () => {
    expect(sessionCookies(TOKEN, 60, HERE)[0]).toBe(
      `commons_session_8000=${TOKEN}; Path=/; Max-Age=60; SameSite=Lax; HttpOnly`,
    )
  })
  test('has no port in its name where the address has none', () => {
    for (const at of ['https://chat.example.org', 'chat.example.org', '[2001:db8::7]', '']) {
      expect(namesOf(sessionCookies(TOKEN, 60, { at, secure: true }))[0]).toBe('__Host-commons_session')
    }
  })
  test('comes with markers that scripts may read and that say nothing: ours of this address, and that of old clients', () => {
    expect(sessionCookies(TOKEN, 60, PROTECTED).slice(1)).toEqual([
      'commons_signed_in_8443=1; Path=/; Max-Age=60; SameSite=Lax; Secure',
      'cws_user_auth=1; Path=/; Max-Age=60; SameSite=Lax; Secure',
    ])
  })
  test('takes the place of those under which the browser had a session before', () => {
    expect(sessionCookies(TOKEN, 60, HERE, ['commons_session', 'commons_session_8000']).slice(3)).toEqual([
      'commons_session=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly',
    ])
  })
  test('is cleared together with the markers', () => {
    expect(namesOf(clearedCookies(HERE))).toEqual(['commons_session_8000', 'commons_signed_in_8000', 'cws_user_auth'])
    expect(namesOf(clearedCookies(PROTECTED, ['__Host-commons_session']))).toEqual([
      '__Host-commons_session_8443',
      'commons_session_8443',
      '__Host-commons_session',
      'commons_signed_in_8443',
      'cws_user_auth',
    ])
    expect(clearedCookies(PROTECTED).every(cookie => cookie.includes('=; ') && cookie.includes('Max-Age=0'))).toBe(true)
  })
})
