import { describe, expect, test } from 'vitest'
import { login, readMe, updateUser, type UserRead } from '#contract/users.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { eachDatabase } from '#testing/database.ts'
import { servedUsers } from '#testing/servedUsers.ts'

describe('the initial administrator', () => {
  eachDatabase((_, open) => {
    test('is made at the first start, with a generated password that signs in', async () => {
      const { users, aBrowser } = await servedUsers(await open())
      const made = await users.ensureInitialAdmin()
      expect(made).toEqual({ username: 'admin', password: expect.stringMatching(/^\w{20}$/) })
      const browser = aBrowser()
      expect((await browser.call(login, { body: { username: 'admin', password: made?.password } })).code).toBe(200)
      const { setting, ...user } = (await browser.call(readMe)).result as UserRead
      expect(user).toMatchObject({ is_superuser: true, is_active: true, is_verified: true, nickname: 'admin' })
      expect(setting).toMatchObject({
        credits: -1,
        openai_api: { allow_to_use: true, max_conv_count: -1, total_ask_count: -1, allow_custom_openai_api: true },
      })
    })
    test('may be sent back whole, as every account', async () => {
      const { users, aBrowser } = await servedUsers(await open())
      const made = await users.ensureInitialAdmin()
      const browser = aBrowser()
      await browser.call(login, { body: { username: 'admin', password: made?.password } })
      const { result } = await browser.call(readMe)
      expect((await browser.call(updateUser, { params: { id: (result as UserRead).id }, body: result })).code).toBe(200)
      expect((await browser.call(readMe)).result).toEqual(result)
    })
    test('is neither made again nor given another password later', async () => {
      const database = await open()
      const { users } = await servedUsers(database)
      await users.ensureInitialAdmin()
      const stored = () => database.database.selectFrom('users').selectAll().execute()
      const before = await stored()
      expect(await users.ensureInitialAdmin()).toBe(null)
      await users.directory.update(before[0]?.id ?? 0, { username: 'renamed' })
      expect(await users.ensureInitialAdmin()).toBe(null)
      const renamed = { username: 'renamed', search_text: 'admin\nrenamed\nadmin@commons.lan\n' }
      expect(await stored()).toEqual([{ ...before[0], ...renamed }])
    })
    test('has the name and the password that are configured, of which nothing is told', async () => {
      const { users, aBrowser } = await servedUsers(await open(), {
        settings: { common: { initial_admin_user_username: 'Chefin', initial_admin_user_password: 'from-a-file' } },
      })
      expect(await users.ensureInitialAdmin()).toEqual({ username: 'Chefin', password: null })
      expect((await aBrowser().call(login, { body: { username: 'chefin', password: 'from-a-file' } })).code).toBe(200)
    })
    test.each([
      ['password', 'commonPassword'],
      ['has space in it', 'invalidPassword'],
    ])('does not have the password %j, configured or not', async (given, msg) => {
      const settings = { common: { initial_admin_user_password: given } }
      const database = await open()
      const { users } = await servedUsers(database, { settings })
      await expect(users.ensureInitialAdmin()).rejects.toMatchObject({
        key: 'requestValidationError',
        detail: [{ msg }],
      })
      expect(await users.directory.list()).toEqual([])
      await (await servedUsers(database)).users.ensureInitialAdmin()
      expect(await users.ensureInitialAdmin()).toBe(null)
    })
    test('is not made where nobody wants one', async () => {
      const { users } = await servedUsers(await open(), {
        settings: { common: { create_initial_admin_user: false } },
      })
      expect(await users.ensureInitialAdmin()).toBe(null)
      expect(await users.directory.list()).toEqual([])
    })
    test('is one when several processes start at once', async () => {
      const database = await open()
      const portals = [await servedUsers(database), await servedUsers(database), await servedUsers(database)]
      const made = await Promise.all(portals.map(({ users }) => users.ensureInitialAdmin()))
      expect(made.filter(admin => admin !== null)).toHaveLength(1)
    })
  })
})

describe('whoever runs the portal', () => {
  eachDatabase((_, open) => {
    async function portal() {
      const { users, aBrowser } = await servedUsers(await open())
      const password = await users.createAdmin('root', null)
      const browser = aBrowser()
      await browser.call(login, { body: { username: 'root', password } })
      const signsIn = async (with_password: string | null) =>
        (await aBrowser().call(login, { body: { username: 'root', password: with_password } })).code === 200
      return { users, browser, password, signsIn }
    }

    test('makes administrators, each name once', async () => {
      const { users } = await portal()
      await expect(users.createAdmin('ROOT', null)).rejects.toThrow('errors.userAlreadyExists')
      await expect(users.createAdmin('not a name', null)).rejects.toThrow(Refusal)
      await expect(users.createAdmin('second', 'short')).rejects.toThrow(Refusal)
      expect(await users.createAdmin('second', 'a-good-password')).toBe(null)
    })
    test('gives somebody a new password, which ends their sessions', async () => {
      const { users, browser, password, signsIn } = await portal()
      const generated = await users.resetPassword('Root')
      expect((await browser.call(readMe)).message).toBe('errors.loginExpired')
      expect([await signsIn(password), await signsIn(generated)]).toEqual([false, true])
      expect(await users.resetPassword('root', 'a-good-password')).toBe(null)
      expect([await signsIn(generated), await signsIn('a-good-password')]).toEqual([false, true])
    })
    test('is refused a password that is none, and somebody who is not there', async () => {
      const { users, password, signsIn } = await portal()
      for (const bad of ['short', 'with a space', 'password'])
        await expect(users.resetPassword('root', bad)).rejects.toThrow(Refusal)
      expect(await signsIn(password)).toBe(true)
      await expect(users.resetPassword('nobody')).rejects.toThrow('errors.userNotExist')
      await expect(users.endSessions('nobody')).rejects.toThrow('errors.userNotExist')
    })
    test('ends somebody’s sessions and is told how many there were', async () => {
      const { users, browser } = await portal()
      expect(await users.endSessions('root')).toBe(1)
      expect((await browser.call(readMe)).message).toBe('errors.loginExpired')
      expect(await users.endSessions('root')).toBe(0)
    })
  })
})
