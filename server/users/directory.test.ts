import { describe, expect, test } from 'vitest'
import { deleteUser, listUsers, login, readMe, readUser, register, updateUser } from '#contract/users.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { eachDatabase } from '#testing/database.ts'
import { storedConversation } from '#testing/rows.ts'
import { type Browser, servedUsers } from '#testing/servedUsers.ts'

const PASSWORD = 'a-good-password'
const bertha = { username: 'Bertha', nickname: 'Bertha', email: 'bertha@example.org', password: PASSWORD }

/** An administrator who is signed in. */
async function administered(
  open: OpenDatabase,
  ...options: Parameters<typeof servedUsers> extends [unknown, ...infer Rest] ? Rest : never
) {
  const portal = await servedUsers(open, ...options)
  await portal.users.createAdmin('root', PASSWORD)
  const signIn = async (username: string) => {
    const browser = portal.aBrowser()
    await browser.call(login, { body: { username, password: PASSWORD } })
    return browser
  }
  const root = await signIn('root')
  return { ...portal, signIn, root, rootId: idOf(await root.call(readMe)) }
}

const idOf = ({ result }: { result: unknown }) => (result as { id: number }).id
const made = async (root: Browser, fields: { username?: string; [field: string]: unknown } = {}) => {
  const email = fields.username === undefined ? bertha.email : `${fields.username}@example.org`
  return idOf(await root.call(register, { body: { ...bertha, email, ...fields } }))
}

describe('accounts', () => {
  eachDatabase((_, open) => {
    test('are made by an administrator, with the flags that are given', async () => {
      const { root, signIn } = await administered(await open())
      const answer = await root.call(register, { body: { ...bertha, is_verified: true, remark: 'new' } })
      const { password: _, ...shown } = bertha
      expect(answer).toMatchObject({
        code: 200,
        result: {
          ...shown,
          is_active: true,
          is_superuser: false,
          is_verified: true,
          remark: 'new',
          avatar: null,
          last_active_time: null,
        },
      })
      expect((await (await signIn('Bertha')).call(readMe)).code).toBe(200)
    })
    test('are nobody else’s to make, list, read, change or remove', async () => {
      const { root, signIn, aBrowser } = await administered(await open())
      const id = await made(root)
      const own = await signIn('Bertha')
      for (const call of [register, listUsers, readUser, updateUser, deleteUser]) {
        const sent = { params: { id }, body: call.body === null ? undefined : bertha }
        expect((await own.call(call, sent)).message).toBe('errors.authorityDeny')
        expect((await aBrowser().call(call, sent)).message).toBe('errors.userNotLogin')
      }
    })
    test('may have no e-mail; one that another account has is refused, however it is written', async () => {
      const { root } = await administered(await open())
      const id = await made(root)
      const { email: _, ...without } = bertha
      for (const [username, more] of Object.entries({ one: {}, two: { email: '' }, three: { email: null } })) {
        const answer = await root.call(register, { body: { ...without, username, ...more } as never })
        expect(answer).toMatchObject({ code: 200, result: { email: '' } })
      }
      for (const email of ['bertha@example.org', ' BERTHA@example.ORG'])
        expect((await root.call(register, { body: { ...bertha, username: 'four', email } })).message).toBe(
          'errors.emailTaken',
        )
      const other = await made(root, { username: 'five' })
      expect((await root.call(updateUser, { params: { id: other }, body: { email: bertha.email } })).message).toBe(
        'errors.emailTaken',
      )
      // A whole account that is sent back has its own address.
      expect((await root.call(updateUser, { params: { id }, body: { email: 'Bertha@example.org' } })).code).toBe(200)
    })
    test('that share an e-mail from before keep it, and sign in by their names', async () => {
      const database = await open()
      const { root, aBrowser } = await administered(database)
      const ids = [await made(root), await made(root, { username: 'Cara' })]
      await database.database.updateTable('users').set({ email: 'both@example.org' }).where('id', 'in', ids).execute()
      for (const id of ids)
        expect(
          (await root.call(updateUser, { params: { id }, body: { email: 'both@example.org', remark: 'x' } })).code,
        ).toBe(200)
      const signIn = async (username: string) =>
        (await aBrowser().call(login, { body: { username, password: PASSWORD } })).code
      expect([await signIn('both@example.org'), await signIn('Bertha'), await signIn('Cara')]).toEqual([
        10401, 200, 200,
      ])
    })
    test('are refused under a name that is taken, however it is written', async () => {
      const { root } = await administered(await open())
      await made(root)
      for (const username of ['Bertha', 'bertha', ' BERTHA ', 'Ｂｅｒｔｈａ']) {
        const answer = await root.call(register, { body: { ...bertha, username } })
        expect(answer).toEqual({ code: -1, message: 'errors.userAlreadyExists', result: null })
      }
      expect(
        (
          await root.call(updateUser, {
            params: { id: await made(root, { username: 'Clara' }) },
            body: { username: 'BERTHA' },
          })
        ).message,
      ).toBe('errors.userAlreadyExists')
    })
    test('made under one name at the same moment are one', async () => {
      const { root } = await administered(await open())
      const answers = await Promise.all(
        ['Bertha', 'BERTHA', 'bertha', 'Bertha'].map(username =>
          root.call(register, { body: { ...bertha, username } }),
        ),
      )
      expect(answers.filter(answer => answer.code === 200)).toHaveLength(1)
      expect(answers.filter(answer => answer.message === 'errors.userAlreadyExists')).toHaveLength(3)
    })
    test('may be called otherwise in capitals by an administrator', async () => {
      const { root } = await administered(await open())
      const id = await made(root)
      expect((await root.call(updateUser, { params: { id }, body: { username: 'BERTHA' } })).result).toMatchObject({
        username: 'BERTHA',
      })
    })
    test('need a name, a nickname and a password that are such, and an e-mail that is one', async () => {
      const { root } = await administered(await open())
      const wrong = [
        { username: '' },
        { username: 'a b' },
        { username: 'x'.repeat(33) },
        { nickname: '' },
        { email: 'x' },
        { password: 'sixsix' },
        { password: 'password' },
        { is_superuser: 'true' },
        { avatar: 1 },
        { remark: 'x'.repeat(257) },
      ]
      for (const fields of wrong) {
        const { code, detail } = await root.call(register, { body: { ...bertha, ...fields } })
        expect([code, detail?.[0]?.loc]).toEqual([422, ['body', ...Object.keys(fields)]])
      }
      expect((await root.call(listUsers)).result).toHaveLength(1)
    })
    test('are listed with their remarks and without what is secret', async () => {
      const { root } = await administered(await open())
      await made(root, { remark: 'new' })
      const { result } = await root.call(listUsers)
      expect(result).toMatchObject([
        { username: 'root', remark: null },
        { username: 'Bertha', remark: 'new' },
      ])
      expect(JSON.stringify(result)).not.toMatch(/argon2|password|hash/)
    })
    test('that do not exist are not found', async () => {
      const { root } = await administered(await open())
      for (const call of [readUser, updateUser, deleteUser]) {
        const answer = await root.call(call, { params: { id: 999_999 }, body: call.body === null ? undefined : {} })
        expect(answer).toEqual({ code: -1, message: 'errors.userNotExist', result: null })
      }
      expect((await root.call(readUser, { params: { id: 'x' } })).code).toBe(422)
    })
    test('take back the whole object that was read, and keep what is not changed in it', async () => {
      const { root, users } = await administered(await open())
      const id = await made(root, { remark: 'new' })
      const ended: unknown[] = []
      users.onSessionsEnded(end => ended.push(end))
      const before = (await root.call(readUser, { params: { id } })).result as object
      expect((await root.call(updateUser, { params: { id }, body: { ...before, nickname: 'B.' } })).result).toEqual({
        ...before,
        nickname: 'B.',
      })
      for (const password of ['', null]) {
        expect(
          (await root.call(updateUser, { params: { id }, body: { ...before, nickname: 'C.', password } })).result,
        ).toEqual({ ...before, nickname: 'C.' })
      }
      expect(ended).toEqual([])
      expect((await root.call(updateUser, { params: { id }, body: { password: 'sixsix' } })).detail).toMatchObject([
        { loc: ['body', 'password'], msg: 'invalidPassword' },
      ])
    })
  })
})

describe('the sessions of somebody', () => {
  eachDatabase((_, open) => {
    test.each([
      ['is deactivated', { is_active: false }],
      ['is no administrator any more', { is_superuser: false }],
      ['gets another password', { password: 'another-one' }],
    ])('who %s end', async (_name, body) => {
      const { root, signIn, users } = await administered(await open())
      const id = await made(root, { is_superuser: true })
      const own = await signIn('Bertha')
      const ended: unknown[] = []
      users.onSessionsEnded(end => ended.push(end))
      expect((await root.call(updateUser, { params: { id }, body })).code).toBe(200)
      expect((await own.call(readMe)).message).toBe('errors.loginExpired')
      expect((await root.call(readMe)).code).toBe(200)
      expect(ended).toEqual([{ user_id: id }])
    })
    test('who becomes an administrator go on, with the new right', async () => {
      const { root, signIn } = await administered(await open())
      const id = await made(root)
      const own = await signIn('Bertha')
      await root.call(updateUser, { params: { id }, body: { is_superuser: true } })
      expect((await own.call(listUsers)).code).toBe(200)
    })
    test('who changes their own password here end but for this one', async () => {
      const { root, rootId, signIn, clock } = await administered(await open())
      const other = await signIn('root')
      const change = () => root.call(updateUser, { params: { id: rootId }, body: { password: 'another-one' } })
      expect((await change()).code).toBe(200)
      expect((await root.call(readMe)).code).toBe(200)
      expect((await other.call(readMe)).message).toBe('errors.loginExpired')
      clock.time += 3_600_001
      expect((await change()).message).toBe('errors.currentPasswordRequired')
    })
  })
})

describe('removing an account', () => {
  eachDatabase((_, open) => {
    test('ends what its person does, then takes all that is theirs and leaves their conversations to nobody', async () => {
      const database = await open()
      const left: number[] = []
      const { root, signIn, users } = await administered(database)
      users.directory.onRemoval(async id => {
        left.push(id)
      })
      const id = await made(root)
      const own = await signIn('Bertha')
      await users.preferences.update(id, { theme: 'dark' })
      await storedConversation(database.database, { user_id: id })
      expect(await root.call(deleteUser, { params: { id } })).toEqual({ code: 200, message: '', result: null })
      expect(left).toEqual([id])
      expect((await own.call(readMe)).message).toBe('errors.loginExpired')
      for (const table of [
        'sessions',
        'user_source_settings',
        'user_credits',
        'user_model_allowances',
        'ask_counts',
        'user_preferences',
      ] as const) {
        expect(await database.database.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).toEqual(
          [],
        )
      }
      expect(await database.database.selectFrom('conversations').select('user_id').execute()).toEqual([
        { user_id: null },
      ])
    })
  })
})

describe('the last active superuser', () => {
  eachDatabase((_, open) => {
    test.each([
      ['demoted', { is_superuser: false }],
      ['deactivated', { is_active: false }],
      ['removed', null],
    ])('cannot be %s', async (_name, body) => {
      const left: number[] = []
      const { root, rootId, users } = await administered(await open())
      users.directory.onRemoval(async id => {
        left.push(id)
      })
      await made(root, { is_superuser: true, is_active: false })
      const answer = await root.call(body ? updateUser : deleteUser, {
        params: { id: rootId },
        body: body ?? undefined,
      })
      expect(answer).toEqual({ code: -1, message: 'errors.lastSuperuser', result: null })
      expect(left).toEqual([])
      expect((await root.call(listUsers)).code).toBe(200)
    })
    test('remains when two are ended in crossing requests', async () => {
      const { root, rootId, signIn, users } = await administered(await open())
      for (let round = 0; round < 5; round++) {
        const id = await made(root, { username: `other${round}`, is_superuser: true })
        const other = await signIn(`other${round}`)
        const answers = await Promise.all([
          root.call(updateUser, { params: { id }, body: { is_superuser: false } }),
          round % 2 === 0
            ? other.call(updateUser, { params: { id: rootId }, body: { is_active: false } })
            : other.call(deleteUser, { params: { id: rootId } }),
        ])
        const active = (await users.directory.list()).filter(user => user.is_active && user.is_superuser)
        expect(active).toHaveLength(1)
        expect(answers.filter(answer => answer.code === 200)).toHaveLength(1)
        if (active[0]?.id !== rootId) break // root is out; the other one stays
      }
    })
  })
})
