import { describe, expect, test } from 'vitest'
import { login, logout, readMe } from '#contract/users.ts'
import { eachDatabase } from '#testing/database.ts'
import { servedUsers } from '#testing/servedUsers.ts'
import { clearedCookies, sessionCookies } from './browserSession.ts'
import { right, served, wrong } from './signIn.testing.ts'

describe('a session', () => {
  eachDatabase((name, open) => {
    if (name === 'PostgreSQL') {
      test('that ends is told to every process on the database', async () => {
        const database = await open()
        const { browser } = await served(database)
        const { users: otherProcess } = await servedUsers(database)
        const { promise, resolve } = Promise.withResolvers<unknown>()
        otherProcess.onSessionsEnded(resolve)
        await browser.call(login, { body: right })
        const user = await otherProcess.authenticate(browser.token)
        await browser.call(logout)
        expect(await promise).toEqual({ session: user?.session })
      })
    }
    test('lasts as long as it is configured', async () => {
      const { browser, clock } = await served(await open(), {
        settings: { auth: { jwt_lifetime_seconds: 100, cookie_max_age: 90 } },
      })
      await browser.call(login, { body: right })
      expect(browser.setCookies.join()).toMatch(/commons_session_\d+=[^,]*Max-Age=90;/)
      clock.time += 99_999
      expect((await browser.call(readMe)).code).toBe(200)
      clock.time += 1
      expect(await browser.call(readMe)).toEqual({ code: 10401, message: 'errors.loginExpired', result: null })
    })
    test('of who chose to be remembered lasts longer', async () => {
      const { browser, clock } = await served(await open(), {
        settings: { auth: { jwt_lifetime_seconds: 100, remember_seconds: 200 } },
      })
      await browser.call(login, { body: { ...right, remember: 'true' } })
      expect(browser.setCookies.join()).toMatch(/Max-Age=200;.*Max-Age=200;/)
      clock.time += 199_999
      expect((await browser.call(readMe)).code).toBe(200)
      await browser.call(login, { body: { ...right, remember: 'false' } })
      expect(browser.setCookies.join()).not.toMatch(/Max-Age=200;/)
    })
    test('ends with signing out, also for whoever copied the cookie', async () => {
      const { browser, aBrowser } = await served(await open())
      await browser.call(login, { body: right })
      const thief = aBrowser()
      for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
      expect(await browser.call(logout)).toEqual({ code: 200, message: '', result: null })
      expect(browser.cookies.size).toBe(0)
      expect((await thief.call(readMe)).message).toBe('errors.loginExpired')
    })
    test('of another portal at the same host is neither taken for one here nor ended here', async () => {
      const [here, there] = [await served(await open()), await served(await open())]
      const { browser, aBrowser } = there
      await browser.call(login, { body: right })
      const cookies = new Map(browser.cookies)
      // One browser at both.
      for (const [name, value] of browser.cookies) here.browser.cookies.set(name, value)
      expect((await here.browser.call(readMe)).code).toBe(10401)
      expect((await here.browser.call(login, { body: wrong })).code).toBe(10401)
      await here.browser.call(login, { body: right })
      expect((await here.browser.call(readMe)).code).toBe(200)
      await here.browser.call(logout)
      expect((await here.browser.call(readMe)).code).toBe(10401)
      cookies.delete('cws_user_auth')
      expect(here.browser.cookies).toEqual(cookies)
      const back = aBrowser()
      for (const [name, value] of here.browser.cookies) back.cookies.set(name, value)
      expect((await back.call(readMe)).code).toBe(200)
    })
    test.each(['commons_session', 'commons_session_1'])(
      'under the name %s, of an earlier version or address, counts until it ends',
      async name => {
        const { browser, aBrowser } = await served(await open())
        await browser.call(login, { body: right })
        const former = () => {
          const known = aBrowser()
          known.cookies.set(name, browser.token)
          return known
        }
        const one = former()
        expect((await one.call(readMe)).code).toBe(200)
        await one.call(login, { body: wrong })
        expect([...one.cookies.keys()]).toEqual([])
        const other = former()
        await other.call(login, { body: right })
        expect([...other.cookies.keys()]).not.toContain(name)
        expect((await other.call(readMe)).code).toBe(200)
        expect((await former().call(readMe)).message).toBe('errors.loginExpired')
        await other.call(logout)
        expect([...other.cookies.keys()]).toEqual([])
      },
    )
    test('is not needed for signing out', async () => {
      const { browser } = await served(await open())
      expect((await browser.call(logout)).code).toBe(200)
      const { port } = new URL(browser.url)
      expect(browser.setCookies.map(set => set.split('=')[0])).toEqual([
        `commons_session_${port}`,
        `commons_signed_in_${port}`,
        'cws_user_auth',
      ])
      expect((await browser.call(readMe)).message).toBe('errors.userNotLogin')
    })
    test('is told to whoever holds it open when it ends', async () => {
      const { browser, users } = await served(await open())
      const ended: unknown[] = []
      users.onSessionsEnded(end => ended.push(end))
      await browser.call(login, { body: right })
      const user = await users.authenticate(browser.token)
      await browser.call(logout)
      expect(ended).toEqual([{ session: user?.session }])
    })
    test('that is open in a socket can be looked at again', async () => {
      const { browser, users, id } = await served(await open())
      await browser.call(login, { body: right })
      const user = await users.authenticate(browser.token)
      if (!user) throw new Error('nobody is signed in')
      await users.directory.update(id, { nickname: 'Anne' })
      expect(await users.authenticateAgain(user)).toEqual({ ...user, nickname: 'Anne' })
      await users.endSessions('anna')
      expect(await users.authenticateAgain(user)).toBe(null)
    })
    test('behind a trusted proxy on https has the protected cookie', async () => {
      const { browser } = await served(await open(), { trustedProxies: ['127.0.0.1'] })
      await browser.call(login, { body: right, headers: { 'x-forwarded-proto': 'https' } })
      const { port } = new URL(browser.url)
      expect([...browser.cookies.keys()]).toEqual([
        `__Host-commons_session_${port}`,
        `commons_signed_in_${port}`,
        'cws_user_auth',
      ])
      expect(browser.setCookies.every(set => set.includes('; Secure'))).toBe(true)
    })
    test('is written down as seen once a minute', async () => {
      const database = await open()
      const { browser, clock, users } = await served(database)
      await browser.call(login, { body: right })
      const start = clock.time
      const seen = async () => {
        await users.close()
        return (await database.database.selectFrom('users').select('last_active_time').executeTakeFirstOrThrow())
          .last_active_time
      }
      clock.time = start + 59_999
      await browser.call(readMe)
      expect(await seen()).toBe(start)
      clock.time = start + 60_000
      await browser.call(readMe)
      expect(await seen()).toBe(start + 60_000)
    })
  })
})

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
