import { describe, expect, test } from 'vitest'
import { FLAGS, listUsers, login, PRIVILEGED_FIELDS, readMe, readUser, updateMe, updateUser } from '#contract/users.ts'
import { DEFAULT_PREFERENCES, readPreferences, updatePreferences } from '#contract/preferences.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { eachDatabase } from '#testing/database.ts'
import { servedUsers } from '#testing/servedUsers.ts'

const HOUR = 3_600_000
const PASSWORD = 'a-good-password'
const anna = {
  username: 'anna',
  nickname: 'Anna',
  email: 'anna@example.org',
  password: PASSWORD,
  is_active: true,
  is_superuser: false,
  is_verified: false,
}

/** Anna, and an administrator, each signed in. */
async function signedIn(open: OpenDatabase) {
  const portal = await servedUsers(open)
  const { id } = await portal.users.createUser({ ...anna, remark: 'pays late' })
  await portal.users.createAdmin('root', PASSWORD)
  const aBrowserOf = async (username: string) => {
    const browser = portal.aBrowser()
    await browser.call(login, { body: { username, password: PASSWORD } })
    return browser
  }
  return { ...portal, id, browser: await aBrowserOf('anna'), root: await aBrowserOf('root'), aBrowserOf }
}

describe('one’s own account', () => {
  eachDatabase((_, open) => {
    test('is read without password hash, remark and anything beyond the read view', async () => {
      const { browser } = await signedIn(await open())
      const { result } = await browser.call(readMe)
      expect(Object.keys(result as object).toSorted()).toEqual([
        'avatar',
        'create_time',
        'email',
        'id',
        'is_active',
        'is_superuser',
        'is_verified',
        'last_active_time',
        'nickname',
        'setting',
        'username',
      ])
    })
    test('is changed in what was sent and in nothing else', async () => {
      const { browser } = await signedIn(await open())
      const before = (await browser.call(readMe)).result as object
      const { result } = await browser.call(updateMe, {
        body: { nickname: ' 安娜 ', email: 'a@example.com', chat_status: 'asking' },
      })
      expect(result).toEqual({ ...before, nickname: '安娜', email: 'a@example.com' })
      expect((await browser.call(updateMe, { body: {} })).result).toEqual(result)
    })
    test('keeps its e-mail when the new one is none', async () => {
      const { browser } = await signedIn(await open())
      const answer = await browser.call(updateMe, { body: { email: 'nobody' } })
      expect(answer).toMatchObject({ code: 422, detail: [{ loc: ['body', 'email'], msg: 'invalidEmail' }] })
    })
    test('has no privileged field that its person can change, alone, in pairs or together', async () => {
      const { browser, root, id } = await signedIn(await open())
      const before = (await root.call(readUser, { params: { id } })).result
      const wanted = {
        is_active: true,
        is_superuser: true,
        is_verified: true,
        username: 'root2',
        remark: 'pays at once',
        id: 1,
        setting: {},
        credits: 99,
      }
      const fields = [...FLAGS, ...PRIVILEGED_FIELDS].map(field => [field, wanted[field]] as const)
      const pairs = fields.flatMap((one, at) => fields.slice(at + 1).map(other => Object.fromEntries([one, other])))
      for (const body of [...fields.map(field => Object.fromEntries([field])), ...pairs, wanted]) {
        const answer = await browser.call(updateMe, { body: { nickname: 'changed', ...body } })
        expect(answer).toMatchObject({ code: 422, message: 'errors.requestValidationError' })
        expect(answer.detail).toMatchObject(Object.keys(body).map(field => ({ loc: ['body', field] })))
      }
      expect((await root.call(readUser, { params: { id } })).result).toEqual(before)
      expect((await browser.call(listUsers)).message).toBe('errors.authorityDeny')
    })
    test('of an administrator takes the flags too, and nothing else that is privileged', async () => {
      const { root } = await signedIn(await open())
      const flags = { is_active: true, is_superuser: true, is_verified: true }
      expect(await root.call(updateMe, { body: { ...flags, nickname: 'Chief' } })).toMatchObject({
        code: 200,
        result: { ...flags, nickname: 'Chief' },
      })
      expect((await root.call(updateMe, { body: { is_verified: false } })).result).toMatchObject({ is_verified: false })
      for (const field of PRIVILEGED_FIELDS)
        expect((await root.call(updateMe, { body: { is_verified: true, [field]: 'x' } })).code).toBe(422)
      expect((await root.call(readMe)).result).toMatchObject({ is_verified: false })
    })
    test('of the last administrator keeps what makes them one, and nothing of that request is stored', async () => {
      const { root } = await signedIn(await open())
      for (const flag of [{ is_superuser: false }, { is_active: false }])
        expect(
          await root.call(updateMe, { body: { ...flag, nickname: 'gone', password: 'another-password' } }),
        ).toMatchObject({
          message: 'errors.lastSuperuser',
        })
      expect((await root.call(readMe)).result).toMatchObject({ is_active: true, is_superuser: true })
      expect((await root.call(readMe)).result).not.toMatchObject({ nickname: 'gone' })
    })
    test('of another administrator may give that up, which ends their sessions', async () => {
      const { root, browser, aBrowser, id } = await signedIn(await open())
      expect((await root.call(updateUser, { params: { id }, body: { is_superuser: true } })).code).toBe(200)
      expect((await browser.call(updateMe, { body: { is_superuser: false } })).result).toMatchObject({
        is_superuser: false,
      })
      expect((await browser.call(readMe)).code).toBe(10401)
      const again = aBrowser()
      await again.call(login, { body: { username: 'anna', password: PASSWORD } })
      expect((await again.call(updateMe, { body: { is_superuser: true } })).code).toBe(422)
    })
    test('may have no e-mail, and none that another account has', async () => {
      const { root, browser } = await signedIn(await open())
      await root.call(updateMe, { body: { email: 'root@example.org' } })
      expect((await browser.call(updateMe, { body: { email: ' Root@Example.org ' } })).message).toBe(
        'errors.emailTaken',
      )
      for (const none of ['', null])
        expect((await browser.call(updateMe, { body: { email: none } as never })).result).toMatchObject({ email: '' })
      expect((await root.call(updateMe, { body: { email: '' } })).code).toBe(200)
    })
  })
})

describe('one’s own password', () => {
  eachDatabase((_, open) => {
    const body = { password: 'another-password' }

    test('is changed without the old one within an hour of signing in', async () => {
      const { browser, aBrowser, clock } = await signedIn(await open())
      clock.time += HOUR
      expect((await browser.call(updateMe, { body })).code).toBe(200)
      expect((await aBrowser().call(login, { body: { username: 'anna', password: PASSWORD } })).code).toBe(10401)
      expect((await aBrowser().call(login, { body: { username: 'anna', ...body } })).code).toBe(200)
    })
    test('is changed only with the old one later', async () => {
      const { browser, clock } = await signedIn(await open())
      clock.time += HOUR + 1
      expect((await browser.call(updateMe, { body })).message).toBe('errors.currentPasswordRequired')
      expect((await browser.call(updateMe, { body: { ...body, current_password: 'wrong' } })).message).toBe(
        'errors.currentPasswordWrong',
      )
      expect((await browser.call(updateMe, { body: { ...body, current_password: PASSWORD } })).code).toBe(200)
    })
    test('is not changed with a wrong old one, however lately the person signed in, and nothing else is either', async () => {
      const { browser, aBrowser } = await signedIn(await open())
      const before = (await browser.call(readMe)).result
      for (const wrong of [
        { ...body, current_password: 'wrong' },
        { nickname: 'other', current_password: 'wrong' },
        { ...body, nickname: 'other', current_password: ' ' },
      ]) {
        expect(await browser.call(updateMe, { body: wrong })).toEqual({
          code: -1,
          message: 'errors.currentPasswordWrong',
          result: null,
        })
      }
      expect((await browser.call(readMe)).result).toEqual(before)
      expect((await aBrowser().call(login, { body: { username: 'anna', password: PASSWORD } })).code).toBe(200)
      expect(
        (await browser.call(updateMe, { body: { nickname: 'other', current_password: PASSWORD } })).result,
      ).toMatchObject({ nickname: 'other' })
      expect((await browser.call(updateMe, { body: { ...body, current_password: PASSWORD } })).code).toBe(200)
    })
    test('is changed only with the old one when the clock was set back since signing in', async () => {
      const { browser, clock } = await signedIn(await open())
      clock.time -= HOUR + 1
      expect((await browser.call(updateMe, { body })).message).toBe('errors.currentPasswordRequired')
    })
    test('cannot be guessed through a session that somebody left open', async () => {
      const { browser, clock, aBrowser } = await signedIn(await open())
      clock.time += HOUR + 1
      const guess = () => browser.call(updateMe, { body: { ...body, current_password: 'wrong' } })
      for (let attempt = 0; attempt < 10; attempt++) await guess()
      expect((await guess()).message).toBe('errors.tooManySignInAttempts')
      expect((await aBrowser().call(login, { body: { username: 'anna', password: PASSWORD } })).code).toBe(200)
    })
    test('ends the other sessions and gives this one a new token', async () => {
      const { browser, aBrowserOf, users } = await signedIn(await open())
      const other = await aBrowserOf('anna')
      const ended: unknown[] = []
      users.onSessionsEnded(end => ended.push(end))
      const former = browser.token
      const { result } = await browser.call(updateMe, { body })
      const user = await users.authenticate(browser.token)
      expect(user?.id).toBe((result as { id: number }).id)
      expect(await users.authenticate(former)).toBe(null)
      expect((await other.call(readMe)).message).toBe('errors.loginExpired')
      expect(ended).toEqual([{ user_id: user?.id, except: user?.session }])
    })
    test('leaves the session as long as it would have lasted', async () => {
      const { browser, clock } = await signedIn(await open())
      clock.time += 200_000_000
      await browser.call(updateMe, { body: { ...body, current_password: PASSWORD } })
      expect(browser.setCookies[0]).toContain('Max-Age=59200;')
      clock.time += 59_200_000
      expect((await browser.call(readMe)).message).toBe('errors.loginExpired')
    })
    test('is refused when it is short, has spaces, is long or is everybody’s first guess', async () => {
      const { browser } = await signedIn(await open())
      for (const password of ['sixsix', 'with a space', 'x'.repeat(129), '', 12345678, 'password', 'ANNA']) {
        expect((await browser.call(updateMe, { body: { password } })).code).toBe(422)
      }
      for (const password of ['seven-7', 'x'.repeat(128), '密码可以是中文']) {
        expect((await browser.call(updateMe, { body: { password } })).code).toBe(200)
      }
    })
  })
})

describe('preferences', () => {
  eachDatabase((_, open) => {
    async function signedIn() {
      const database = await open()
      const { users, aBrowser } = await servedUsers(database)
      const password = await users.createAdmin('root', null)
      const browser = aBrowser()
      await browser.call(login, { body: { username: 'root', password } })
      return { browser, database: database.database }
    }

    test('are the defaults at first', async () => {
      const { browser } = await signedIn()
      expect((await browser.call(readPreferences)).result).toEqual(DEFAULT_PREFERENCES)
    })
    test('are changed one by one, and kept', async () => {
      const { browser } = await signedIn()
      await browser.call(updatePreferences, { body: { language: 'ms-MY' } })
      const { result } = await browser.call(updatePreferences, { body: { theme: 'dark' } })
      expect(result).toEqual({ ...DEFAULT_PREFERENCES, language: 'ms-MY', theme: 'dark' })
      expect((await browser.call(readPreferences)).result).toEqual(result)
    })
    test('changed on two devices at once are both kept', async () => {
      const { browser } = await signedIn()
      await Promise.all([
        browser.call(updatePreferences, { body: { sendKey: 'Ctrl+Enter' } }),
        browser.call(updatePreferences, { body: { codeAutoWrap: true } }),
      ])
      expect((await browser.call(readPreferences)).result).toEqual({
        ...DEFAULT_PREFERENCES,
        sendKey: 'Ctrl+Enter',
        codeAutoWrap: true,
      })
    })
    test('that are none are refused', async () => {
      const { browser } = await signedIn()
      for (const body of [{ language: 'xx' }, { theme: 'blue' }, { sendKey: 1 }, { codeAutoWrap: 'true' }, []]) {
        expect((await browser.call(updatePreferences, { body })).code).toBe(422)
      }
    })
    test('of another version give way to the defaults', async () => {
      const { browser, database } = await signedIn()
      await database
        .insertInto('user_preferences')
        .values({ user_id: 1, preferences: { language: 'tlh', theme: 'dark' }, update_time: 1 })
        .execute()
      expect((await browser.call(readPreferences)).result).toEqual(DEFAULT_PREFERENCES)
    })
  })
})
