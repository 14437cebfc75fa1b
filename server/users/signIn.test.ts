import { describe, expect, test } from 'vitest'
import { login, readMe, UserCreate } from '#contract/users.ts'
import { eachDatabase } from '#testing/database.ts'
import { servedUsers } from '#testing/servedUsers.ts'
import { PASSWORD, anna, right, wrong, served } from './signIn.testing.ts'

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
      const { browser, users } = await served(await open())
      const user = await users.createUser(
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
      const database = await open()
      const { browser, users } = await served(database)
      for (const username of ['anna@example.org', ' ANNA@Example.ORG '])
        expect((await browser.call(login, { body: { ...right, username } })).code).toBe(200)
      expect(await browser.call(readMe)).toMatchObject({ result: { username: 'Anna' } })
      const { id } = await users.createUser({ ...anna, username: 'second', email: 'second@example.org' })
      await database.database.updateTable('users').set({ email: 'Anna@example.org' }).where('id', '=', id).execute()
      expect((await browser.call(login, { body: { ...right, username: 'anna@example.org' } })).message).toBe(
        'errors.badCredentials',
      )
    })
    test('takes a name that looks like an e-mail address for the name', async () => {
      const { browser, users } = await served(await open())
      await users.createUser({
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
      const { browser, users, id } = await served(await open())
      const answers = [
        await browser.call(login, { body: wrong }),
        await browser.call(login, { body: { ...right, username: 'Nobody' } }),
      ]
      await users.createAdmin('root', null)
      await users.directory.update(id, { is_active: false })
      answers.push(await browser.call(login, { body: right }))
      for (const answer of answers)
        expect(answer).toEqual({ code: 10401, message: 'errors.badCredentials', result: null })
    })
    test('with what cannot be a name or a password is refused, and stores nothing of it', async () => {
      const { browser } = await served(await open())
      for (const body of [
        { username: 'a b<>', password: 'x' },
        { username: '漢'.repeat(100), password: '字'.repeat(500) },
        { username: 'An\0na', password: PASSWORD },
      ]) {
        expect((await browser.call(login, { body })).message).toBe('errors.badCredentials')
      }
      for (const body of [{ username: 'Anna' }, { username: '', password: '' }]) {
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
      const costly = await servedUsers(database, { password_cost: { memory: 16, passes: 1, parallelism: 1 } })
      expect((await costly.aBrowser().call(login, { body: right })).code).toBe(200)
      const stored = await database.database.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
      expect(stored.password_hash).toContain('$m=16,')
      expect((await browser.call(login, { body: right })).code).toBe(200)
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
      const answer = await aBrowser().call(login, { body: right, headers: { 'x-forwarded-for': '192.0.2.7' } })
      expect(answer.code).toBe(200)
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
