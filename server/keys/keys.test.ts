import { describe, expect, test } from 'vitest'
import type { AuditRow } from '#contract/audit.ts'
import type { KeyOfUser } from '#contract/keys.ts'
import { eachStorage } from '#testing/database.ts'
import { type MadeKey, portalWithKeys, START } from './keys.testing.ts'
import { newSecret } from './secret.ts'

const DAY = 86_400_000
const iso = (time: number) => new Date(time).toISOString()
const week = { source: 'openai_api', unit: 'asks', window: { kind: 'week' }, models: null, amount: 60 } as const
const money = { source: 'openai_api', unit: 'money', window: { kind: 'month' }, models: ['gpt_4'], amount: 2.5 }

eachStorage((_, newStorage) => {
  const opened = async (max_keys?: number) => portalWithKeys(await newStorage(), max_keys)

  describe('a key', () => {
    test('is shown once, and afterwards by its name and its last four characters', async () => {
      const { make, list } = await opened()
      const { id, key } = await make({ name: '  My laptop ' })
      expect(key).toMatch(/^cmn_[0-9A-Za-z]{38}$/)
      expect((await list()).keys).toEqual([
        {
          id,
          name: 'My laptop',
          ending: key.slice(-4),
          create_time: iso(START),
          ...{ expires_at: null, last_used_time: null, last_tool: null, limits: [], models: null },
          ...{ may_borrow: true, quiet_only: false, keeps_conversations: false },
          used: { limits: [], asks_of_week: 0 },
        },
      ])
    })
    test('is stored as its hash alone', async () => {
      const { make, app } = await opened()
      const { key } = await make()
      const { database } = app.services.open
      const stored = [
        await database.selectFrom('user_keys').selectAll().execute(),
        await database.selectFrom('audit').selectAll().execute(),
      ]
      expect(JSON.stringify(stored)).not.toContain(key.slice(4, 16))
    })
    test('says whose it is, and what it may', async () => {
      const { make, find, lin } = await opened()
      const { id, key } = await make({
        limits: [week],
        models: ['gpt_4'],
        may_borrow: false,
        keeps_conversations: true,
      })
      const { caller, user, key: found } = await find(key)
      expect(user).toEqual({ id: lin.id, username: 'lin', nickname: 'lin' })
      expect(found).toMatchObject({ id, name: 'Laptop', keeps_conversations: true })
      expect(caller).toMatchObject({ user_id: lin.id, kind: 'key', id: String(id) })
      expect(caller.bounds).toMatchObject({ models: ['gpt_4'], may_borrow: false, quiet_only: false })
      expect(caller.bounds?.limits).toMatchObject([week])
    })
    test('that is mistyped or unknown is refused alike, the first without the database', async () => {
      const { make, find, app } = await opened()
      const { key } = await make()
      await expect(find(newSecret())).rejects.toMatchObject({ key: 'keyInvalid' })
      await app.services.open.database.schema.alterTable('user_keys').renameTo('away').execute()
      const mistyped = key.slice(0, 10) + (key.charAt(10) === 'a' ? 'b' : 'a') + key.slice(11)
      for (const text of [mistyped, '', 'sk-1', `${key}x`])
        await expect(find(text)).rejects.toMatchObject({ key: 'keyInvalid' })
    })
    test('holds until it expires, and not at that moment', async () => {
      const { make, find, clock } = await opened()
      const { key } = await make({ expires_at: iso(START + DAY) })
      clock.set(START + DAY - 1)
      expect((await find(key)).key.name).toBe('Laptop')
      clock.set(START + DAY)
      await expect(find(key)).rejects.toMatchObject({ key: 'keyExpired' })
    })
    test('holds no more once it is revoked, and is gone from the list', async () => {
      const { make, find, list, lin } = await opened()
      const { id, key } = await make()
      await lin.result('DELETE', `/user/me/keys/${id}`)
      await expect(find(key)).rejects.toMatchObject({ key: 'keyRevoked' })
      expect((await list()).keys).toEqual([])
      expect(await lin.call('DELETE', `/user/me/keys/${id}`)).toMatchObject({ message: 'errors.keyNotFound' })
    })
    test('holds only while its owner is active, and goes with their account', async () => {
      const { make, find, admin, lin, app } = await opened()
      const { key } = await make()
      await admin.result('PATCH', `/user/${lin.id}`, { is_active: false })
      await expect(find(key)).rejects.toMatchObject({ key: 'keyRevoked' })
      await admin.result('PATCH', `/user/${lin.id}`, { is_active: true })
      expect((await find(key)).user.id).toBe(lin.id)
      await admin.result('DELETE', `/user/${lin.id}`)
      await expect(find(key)).rejects.toMatchObject({ key: 'keyInvalid' })
      expect(await app.services.open.database.selectFrom('user_keys').selectAll().execute()).toEqual([])
    })
    test('holds only while the plan has keys', async () => {
      const { make, find, admin } = await opened()
      const { key } = await make()
      await admin.result('PATCH', '/plan/1', { max_keys: 0 })
      await expect(find(key)).rejects.toMatchObject({ key: 'keysNotAllowed' })
      await admin.result('PATCH', '/plan/1', { max_keys: 1 })
      expect((await find(key)).key.name).toBe('Laptop')
    })
    test('says with which tool it was used last, once a minute', async () => {
      const { make, find, list, clock, app } = await opened()
      const { key } = await make()
      const { noteUse, flush } = app.services.keys
      const use = async (tool: string | null) => {
        noteUse((await find(key)).key, tool)
        await flush()
        const [shown] = (await list()).keys
        return shown && { at: shown.last_used_time, tool: shown.last_tool }
      }
      expect(await use('claude')).toEqual({ at: iso(START), tool: 'claude' })
      clock.pass(59_000)
      expect(await use('codex')).toEqual({ at: iso(START), tool: 'claude' })
      clock.pass(1_000)
      expect(await use(`codex\0${'x'.repeat(100)}`)).toMatchObject({ at: iso(START + 60_000) })
    })
  })

  describe('the owner of a key', () => {
    test('changes it, and it keeps its secret', async () => {
      const { make, find, list, lin } = await opened()
      const { id, key } = await make()
      const changes = { name: 'Desk', limits: [week, money], models: ['gpt_4'], may_borrow: false }
      const answer = await lin.result('PATCH', `/user/me/keys/${id}`, { ...changes, expires_at: iso(START + DAY) })
      expect(answer).toEqual({ key: null })
      expect((await list()).keys).toMatchObject([{ ...changes, expires_at: iso(START + DAY) }])
      expect((await find(key)).caller.bounds).toMatchObject({ models: ['gpt_4'], may_borrow: false })
      await lin.result('PATCH', `/user/me/keys/${id}`, { limits: [], models: null, expires_at: null })
      expect((await list()).keys).toMatchObject([{ name: 'Desk', limits: [], models: null, expires_at: null }])
    })
    test('rotates it: the new secret holds, the former one does not', async () => {
      const { make, find, list, lin } = await opened()
      const { id, key } = await make()
      const rotated = await lin.result<{ key: string }>('PATCH', `/user/me/keys/${id}`, { rotate: true })
      expect((await find(rotated.key)).key).toMatchObject({ id, name: 'Laptop' })
      await expect(find(key)).rejects.toMatchObject({ key: 'keyInvalid' })
      expect((await list()).keys).toMatchObject([{ id, ending: rotated.key.slice(-4) }])
    })
    test('has as many as the plan says, also when several are made at once', async () => {
      const { lin, list } = await opened(2)
      const made = await Promise.all(
        Array.from({ length: 4 }, (_, at) => lin.call('POST', '/user/me/keys', { name: `Key ${at}` })),
      )
      const refused = made.filter(({ code }) => code !== 200)
      expect(refused).toHaveLength(2)
      for (const each of refused) expect(each).toMatchObject({ message: 'errors.tooManyKeys', values: { most: 2 } })
      const { keys, most } = await list()
      expect([keys.length, most]).toEqual([2, 2])
    })
    test('has none where the plan has none', async () => {
      const { lin, list } = await opened(0)
      expect(await lin.call('POST', '/user/me/keys', { name: 'A' })).toMatchObject({ message: 'errors.keysNotAllowed' })
      expect(await list()).toEqual({ keys: [], most: 0 })
    })
    test('never sees or changes those of somebody else', async () => {
      const { make, find, person, list } = await opened()
      const { id, key } = await make()
      const mei = await person('mei')
      expect((await list(mei)).keys).toEqual([])
      for (const [method, body] of [
        ['PATCH', { name: 'Mine' }],
        ['PATCH', { rotate: true }],
        ['DELETE', undefined],
      ] as const)
        expect(await mei.call(method, `/user/me/keys/${id}`, body)).toMatchObject({ message: 'errors.keyNotFound' })
      expect((await find(key)).key.name).toBe('Laptop')
    })
    test('sends nothing out of bounds', async () => {
      const { lin, list } = await opened()
      const wrong: object[] = [
        { name: '' },
        { name: ' ' },
        { name: 'x'.repeat(65) },
        { name: null },
        { expires_at: 'tomorrow' },
        { expires_at: iso(START) },
        { limits: [{ ...week, amount: -1 }] },
        { limits: [{ ...week, source: 'openai_web' }] },
        { limits: [week, week] },
        { limits: Array.from({ length: 21 }, (_, at) => ({ ...week, models: [`model_${at}`] })) },
        { models: [] },
        { may_borrow: 'yes' },
      ]
      for (const fields of wrong) {
        const { code } = await lin.call('POST', '/user/me/keys', { name: 'A', ...fields })
        expect(code, JSON.stringify(fields)).toBe(422)
      }
      expect((await list()).keys).toEqual([])
    })
  })

  describe('superusers', () => {
    test('see the keys of everybody, the latest first, by pages, and no secret', async () => {
      const { make, person, admin, lin } = await opened()
      const mei = await person('mei')
      const first = await make({ name: 'First' })
      const second = await make({ name: 'Second' }, mei)
      const page = await admin.result<{ rows: KeyOfUser[]; total: number }>('GET', '/keys?size=20')
      expect(page.total).toBe(2)
      expect(page.rows).toMatchObject([
        { id: second.id, name: 'Second', user: { id: mei.id, username: 'mei' } },
        { id: first.id, name: 'First', user: { id: lin.id, nickname: 'lin' } },
      ])
      for (const { key } of [first, second]) expect(JSON.stringify(page)).not.toContain(key.slice(4, 16))
      expect(await admin.result('GET', '/keys?size=20&page=2')).toEqual({ rows: [], total: 2 })
      expect(await lin.call('GET', '/keys')).toMatchObject({ message: 'errors.authorityDeny' })
    })
    test('revoke one, whoever owns it', async () => {
      const { make, find, admin } = await opened()
      const { id, key } = await make()
      await admin.result('DELETE', `/keys/${id}`)
      await expect(find(key)).rejects.toMatchObject({ key: 'keyRevoked' })
      expect(await admin.call('DELETE', `/keys/${id}`)).toMatchObject({ message: 'errors.keyNotFound' })
    })
  })

  test('the audit has who made, changed, rotated and revoked a key, and never its secret', async () => {
    const { make, admin, lin } = await opened()
    const { id, key } = await make({ limits: [money] as never })
    await lin.result('PATCH', `/user/me/keys/${id}`, { name: 'Desk' })
    const rotated = await lin.result<MadeKey>('PATCH', `/user/me/keys/${id}`, { rotate: true })
    await admin.result('DELETE', `/keys/${id}`)
    const { rows } = await admin.result<{ rows: AuditRow[] }>('GET', '/audit?size=200')
    const ofKeys = rows.filter(({ subject }) => subject.kind === 'key').toReversed()
    expect(ofKeys.map(({ action, actor, subject }) => [action, actor.name, subject.name])).toEqual([
      ['key.created', 'lin', 'Laptop'],
      ['key.changed', 'lin', 'Desk'],
      ['key.rotated', 'lin', 'Desk'],
      ['key.deleted', 'admin', 'Desk'],
    ])
    expect(ofKeys[0]?.after).toMatchObject({ name: 'Laptop', limits: [{ amount: 2.5, models: ['gpt_4'] }] })
    expect(ofKeys[1]).toMatchObject({ before: { name: 'Laptop' }, after: { name: 'Desk' } })
    for (const secret of [key, rotated.key]) expect(JSON.stringify(rows)).not.toContain(secret.slice(4, 16))
  })
})
