import { describe, expect, test } from 'vitest'
import { login, logout, readMe } from '#contract/accounts.ts'
import { UserCreate } from '#contract/users.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { eachDatabase } from '#testing/database.ts'
import { servedAccounts } from '#testing/servedAccounts.ts'

const PASSWORD = 'a-good-password'
const anna = {
  username: 'Anna',
  nickname: 'Anna',
  email: 'anna@example.org',
  password: PASSWORD,
  is_active: true,
  is_superuser: false,
  is_verified: true,
}
const right = { username: 'Anna', password: PASSWORD }
const wrong = { username: 'Anna', password: 'another-password' }

async function served(
  open: OpenDatabase,
  ...options: Parameters<typeof servedAccounts> extends [unknown, ...infer Rest] ? Rest : never
) {
  const portal = await servedAccounts(open, ...options)
  const { id } = await portal.accounts.createUser(anna)
  return { ...portal, id, browser: portal.aBrowser() }
}

describe('signing in', () => {
  eachDatabase((_, open) => {
    test('gives a session, and readMe then knows who it is', async () => {
      const { browser } = await served(await open())
      expect(await browser.call(login, { body: right })).toEqual({ code: 200, message: '', result: null })
      expect(await browser.call(readMe)).toMatchObject({
        code: 200,
        message: 'tips.requestSuccess',
        result: { username: 'Anna' },
      })
    })
    test('takes a multipart form as well', async () => {
      const { browser } = await served(await open())
      const form = new FormData()
      for (const [name, value] of Object.entries({ ...right, grant_type: 'password', scope: '' })) form.set(name, value)
      expect(await browser.send('/api/auth/login', { method: 'POST', body: form })).toMatchObject({ code: 200 })
      expect((await browser.call(readMe)).code).toBe(200)
    })
    test('stores the hash of the token and nothing to sign in with', async () => {
      const database = await open()
      const { browser } = await served(database)
      await browser.call(login, { body: right, headers: { 'user-agent': 'A browser' } })
      const [session, ...more] = await database.database.selectFrom('sessions').selectAll().execute()
      expect(more).toEqual([])
      expect(session).toMatchObject({ user_agent: 'A browser', address: '127.0.0.1' })
      expect(session?.token_hash).toMatch(/^[\w-]{43}$/)
      expect([...browser.cookies.values()]).not.toContain(session?.token_hash)
    })
    test('does not mind how the name is written', async () => {
      const { browser } = await served(await open())
      expect((await browser.call(login, { body: { ...right, username: ' ａNNA ' } })).code).toBe(200)
    })
    test('does not mind how the letters of the name are composed', async () => {
      const { browser, accounts } = await served(await open())
      const user = await accounts.createUser(
        UserCreate.parse({ ...anna, username: 'Zoe\u0308', email: 'zoe@example.org' }),
      )
      expect(user.username).toBe('Zo\u00eb')
      for (const username of ['Zoe\u0308', 'Zo\u00eb', 'zO\u00cb'])
        expect((await browser.call(login, { body: { ...right, username } })).code).toBe(200)
    })
    test.each(['\n', '\r\n', '\r'])('cuts %j from the end of a password, and nothing else', async end => {
      const { browser } = await served(await open())
      expect((await browser.call(login, { body: { ...right, password: PASSWORD + end } })).code).toBe(200)
      for (const password of [`${PASSWORD} `, ` ${PASSWORD}`, `${end}${PASSWORD}`]) {
        expect((await browser.call(login, { body: { ...right, password } })).message).toBe('errors.badCredentials')
      }
    })
    test('takes the e-mail address of the only account that has it in place of its name', async () => {
      const { browser, accounts } = await served(await open())
      for (const username of ['anna@example.org', ' ANNA@Example.ORG '])
        expect((await browser.call(login, { body: { ...right, username } })).code).toBe(200)
      expect(await browser.call(readMe)).toMatchObject({ result: { username: 'Anna' } })
      await accounts.createUser({ ...anna, username: 'second', email: 'Anna@example.org' })
      expect((await browser.call(login, { body: { ...right, username: 'anna@example.org' } })).message).toBe(
        'errors.badCredentials',
      )
    })
    test('takes a name that looks like an e-mail address for the name', async () => {
      const { browser, accounts } = await served(await open())
      await accounts.createUser({
        ...anna,
        username: 'Anna@example.org',
        email: 'other@example.org',
        password: 'the-other-password',
      })
      expect((await browser.call(login, { body: { ...right, username: 'anna@example.org' } })).message).toBe(
        'errors.badCredentials',
      )
      expect(
        (await browser.call(login, { body: { username: 'anna@example.org', password: 'the-other-password' } })).code,
      ).toBe(200)
    })
    test('is refused alike for a wrong password, an unknown name and a deactivated account', async () => {
      const { browser, accounts, id } = await served(await open())
      const answers = [
        await browser.call(login, { body: wrong }),
        await browser.call(login, { body: { ...right, username: 'Nobody' } }),
      ]
      await accounts.createAdmin('root', null)
      await accounts.users.update(id, { is_active: false })
      answers.push(await browser.call(login, { body: right }))
      for (const answer of answers)
        expect(answer).toEqual({ code: 10401, message: 'errors.badCredentials', result: null })
    })
    test('with what cannot be a name or a password is refused, and stores nothing of it', async () => {
      const { browser } = await served(await open())
      for (const body of [
        { username: 'a b<>', password: 'x' },
        { username: '漢'.repeat(100), password: '字'.repeat(500) },
      ]) {
        expect((await browser.call(login, { body })).message).toBe('errors.badCredentials')
      }
      for (const body of [
        { username: 'Anna' },
        { username: '', password: '' },
        { username: 'An\0na', password: PASSWORD },
      ]) {
        expect((await browser.call(login, { body })).code).toBe(422)
      }
    })
    test('that fails clears all cookies', async () => {
      const { browser } = await served(await open())
      await browser.call(login, { body: right })
      expect(browser.cookies.size).toBe(3)
      await browser.call(login, { body: wrong })
      expect(browser.cookies.size).toBe(0)
    })
    test('replaces a session id that was planted, or known, before', async () => {
      const { browser, aBrowser } = await served(await open())
      for (const name of ['commons_session', `commons_session_${new URL(browser.url).port}`])
        browser.cookies.set(name, 'p'.repeat(43))
      await browser.call(login, { body: right })
      const first = browser.token
      expect(first).not.toBe('p'.repeat(43))
      await browser.call(login, { body: right })
      expect(browser.token).not.toBe(first)
      const other = aBrowser()
      for (const token of ['p'.repeat(43), first]) {
        other.cookies.set('commons_session', token)
        expect((await other.call(readMe)).message).toBe('errors.loginExpired')
      }
    })
    test('hashes again what was hashed more cheaply', async () => {
      const database = await open()
      const { browser } = await served(database)
      await browser.call(login, { body: right })
      const costly = await servedAccounts(database, { password_cost: { memory: 16, passes: 1, parallelism: 1 } })
      expect((await costly.aBrowser().call(login, { body: right })).code).toBe(200)
      const stored = await database.database.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
      expect(stored.password_hash).toContain('$m=16,')
      expect((await browser.call(login, { body: right })).code).toBe(200)
    })
  })
})

describe('a session', () => {
  eachDatabase((name, open) => {
    if (name === 'PostgreSQL') {
      test('that ends is told to every process on the database', async () => {
        const database = await open()
        const { browser } = await served(database)
        const { accounts: elsewhere } = await servedAccounts(database)
        const { promise, resolve } = Promise.withResolvers<unknown>()
        elsewhere.onSessionsEnded(resolve)
        await browser.call(login, { body: right })
        const user = await elsewhere.authenticate(browser.token)
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
      const { browser, accounts } = await served(await open())
      const ended: unknown[] = []
      accounts.onSessionsEnded(end => ended.push(end))
      await browser.call(login, { body: right })
      const user = await accounts.authenticate(browser.token)
      await browser.call(logout)
      expect(ended).toEqual([{ session: user?.session }])
    })
    test('that is open in a socket can be looked at again', async () => {
      const { browser, accounts, id } = await served(await open())
      await browser.call(login, { body: right })
      const user = await accounts.authenticate(browser.token)
      if (!user) throw new Error('nobody is signed in')
      await accounts.users.update(id, { nickname: 'Anne' })
      expect(await accounts.authenticateAgain(user)).toEqual({ ...user, nickname: 'Anne' })
      await accounts.endSessions('anna')
      expect(await accounts.authenticateAgain(user)).toBe(null)
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
      const { browser, clock, accounts } = await served(database)
      await browser.call(login, { body: right })
      const start = clock.time
      const seen = async () => {
        await accounts.close()
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

describe('guessing', () => {
  eachDatabase((_, open) => {
    test('is told to wait from the tenth wrong password on, whatever comes then', async () => {
      const { browser } = await served(await open())
      const codes: string[] = []
      for (let attempt = 0; attempt < 11; attempt++) codes.push((await browser.call(login, { body: wrong })).message)
      expect(codes).toEqual([
        ...Array(9).fill('errors.badCredentials'),
        ...Array(2).fill('errors.tooManySignInAttempts'),
      ])
      expect(await browser.call(login, { body: right })).toMatchObject({
        code: -1,
        message: 'errors.tooManySignInAttempts',
        values: { retry_after_seconds: 900 },
      })
    })
    test('counts the account, however it is named', async () => {
      const { browser } = await served(await open())
      const names = ['anna', 'ANNA', ' Anna ', 'ａnna', 'anna@example.org', 'ANNA@EXAMPLE.ORG']
      for (let attempt = 0; attempt < 9; attempt++) {
        expect(
          (await browser.call(login, { body: { ...wrong, username: names[attempt % names.length] } })).message,
        ).toBe('errors.badCredentials')
      }
      for (const username of names)
        expect((await browser.call(login, { body: { ...wrong, username } })).message).toBe(
          'errors.tooManySignInAttempts',
        )
    })
    test('of many at once gets no further', async () => {
      const { browser } = await served(await open())
      const answers = await Promise.all(Array.from({ length: 18 }, () => browser.call(login, { body: wrong })))
      expect(answers.filter(answer => answer.message === 'errors.badCredentials')).toHaveLength(9)
    })
    test('does not lock out who signs in from elsewhere', async () => {
      const { browser, aBrowser } = await served(await open(), { trustedProxies: ['127.0.0.1'] })
      for (let attempt = 0; attempt < 10; attempt++) await browser.call(login, { body: wrong })
      const elsewhere = await aBrowser().call(login, { body: right, headers: { 'x-forwarded-for': '192.0.2.7' } })
      expect(elsewhere.code).toBe(200)
    })
    test('about unknown names is told to wait as well', async () => {
      const { browser } = await served(await open())
      const unknown = { username: 'Nobody', password: 'x' }
      for (let attempt = 0; attempt < 9; attempt++)
        expect((await browser.call(login, { body: unknown })).code).toBe(10401)
      expect((await browser.call(login, { body: unknown })).message).toBe('errors.tooManySignInAttempts')
    })
  })
})
