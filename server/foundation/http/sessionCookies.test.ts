import { describe, expect, test } from 'vitest'
import { hasSessionCookie, sentSessions } from './sessionGuard.ts'

const namesOf = (cookies: Record<string, string>, public_origin: string | null, host?: string) =>
  sentSessions(cookies, public_origin, host).map(({ name }) => name)

describe('a session that was sent', () => {
  test('is looked for under the names of this address first, then under those it may have had before', () => {
    const cookies = {
      other: 'x',
      commons_session: 'a',
      commons_session_9000: 'b',
      '__Host-commons_session_9001': 'c',
      commons_session_8000: 'd',
    }
    expect(sentSessions(cookies, null, 'localhost:8000')).toEqual([
      { name: 'commons_session_8000', token: 'd' },
      { name: '__Host-commons_session_9001', token: 'c' },
      { name: 'commons_session', token: 'a' },
      { name: 'commons_session_9000', token: 'b' },
    ])
    expect(namesOf(cookies, 'http://localhost:9000', 'localhost:8000')[0]).toBe('commons_session_9000')
  })
  test('counts under the protected name before the plain one', () => {
    expect(namesOf({ commons_session_8000: 'a', '__Host-commons_session_8000': 'b' }, null, 'localhost:8000')[0]).toBe(
      '__Host-commons_session_8000',
    )
  })
  test('counts only under a protected name where the portal is on https', () => {
    expect(namesOf({ commons_session: 'a', '__Host-commons_session_1': 'b' }, 'https://chat.example.org')).toEqual([
      '__Host-commons_session_1',
    ])
  })
  test('under many names is looked up a few times only', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, port) => [`commons_session_${port}`, 'x']))
    expect(namesOf(many, null, 'localhost:7')).toHaveLength(4)
    expect(namesOf(many, null, 'localhost:7')[0]).toBe('commons_session_7')
  })
  test('has no other name', () => {
    expect(
      namesOf(
        { commons_session_x: 'a', my_commons_session: 'b', commons_signed_in_8000: '1', cws_user_auth: '1' },
        null,
        'localhost:8000',
      ),
    ).toEqual([])
  })
  test('is seen in the header whatever its address', () => {
    for (const header of [
      'commons_session=x',
      'a=1; commons_session_8000=x',
      '__Host-commons_session=x',
      'a=1;__Host-commons_session_8443=x',
    ]) {
      expect(hasSessionCookie(header)).toBe(true)
    }
    for (const header of ['', 'a=1', 'cws_user_auth=1', 'commons_signed_in_8000=1', 'my_commons_session=x'])
      expect(hasSessionCookie(header)).toBe(false)
  })
})
